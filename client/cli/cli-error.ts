import type { ExitCode } from './exit-codes.ts';

/** Ends the command with a message for a person, without a stack. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly remedy: string | null;

  constructor(exitCode: ExitCode, message: string, remedy: string | null = null) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.remedy = remedy;
  }
}
