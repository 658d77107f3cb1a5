import { Command, CommanderError } from 'commander';
import { apiCommand } from './commands/api.ts';
import { askCommand } from './commands/ask.ts';
import { browserWorkerCommand } from './commands/browser-worker.ts';
import { doctorCommand } from './commands/doctor.ts';
import { documentsCommand } from './commands/documents.ts';
import { gapsCommand } from './commands/gaps.ts';
import { ingestCommand } from './commands/ingest.ts';
import { reviewCommand } from './commands/review/index.ts';
import { runsCommand } from './commands/runs/index.ts';
import { syncCommand } from './commands/sync.ts';
import { upCommand } from './commands/up.ts';
import { usageCommand } from './commands/usage.ts';
import { workerCommand } from './commands/worker.ts';
import { CliError } from './cli-error.ts';
import { allowClosedPipes } from './closed-pipe.ts';
import { exitCodes, exitCodesHelp } from './exit-codes.ts';
import { printError } from './output.ts';

/** Runs one command line and resolves to its exit code. */
export async function runCli(argv: string[]): Promise<number> {
  allowClosedPipes(process.stdout, process.stderr);
  let exitCode: number = exitCodes.ok;
  const done = (code: number) => {
    exitCode = code;
  };
  const program = new Command('plumbline')
    .description('Answers questions from your own documents, with citations, as durable Temporal runs.')
    .addHelpText('after', exitCodesHelp);
  for (const command of [
    upCommand,
    workerCommand,
    browserWorkerCommand,
    apiCommand,
    askCommand,
    ingestCommand,
    documentsCommand,
    syncCommand,
    runsCommand,
    reviewCommand,
    gapsCommand,
    usageCommand,
    doctorCommand,
  ])
    program.addCommand(command(done));
  throwErrors(program);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (!(error instanceof CliError)) throw error;
    printError(error);
    return error.exitCode;
  }
  return exitCode;
}

/** Wrong usage comes back as an error, in all subcommands too, so that there is one place that decides the exit code. */
function throwErrors(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help for what can be given)');
  command.commands.forEach(throwErrors);
}
