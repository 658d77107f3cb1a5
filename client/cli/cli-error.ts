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

/** The API refused, with this code; null where a proxy answered instead. */
export class RefusedError extends CliError {
  readonly code: string | null;

  constructor(code: string | null, { exitCode, message, remedy }: CliError) {
    super(exitCode, message, remedy);
    this.name = 'RefusedError';
    this.code = code;
  }
}
