import colors from 'picocolors';
import type { Outcome } from '../domain/contracts/answer.ts';
import { PrincipalsFileError } from '../api/principals-file.ts';
import { sourceLine } from '../client/source-line.ts';
import { PolicyFileError } from '../policies/load.ts';
import { LauncherError } from './errors.ts';
import type { Settings } from './settings.ts';

/** One line for a person, on stderr: stdout is for answers. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** What a person can mend is told in a line and its remedy; anything else is a defect and shown whole. */
export function printFailure(error: unknown): void {
  if (error instanceof LauncherError) {
    say(`${colors.red('✗')} ${error.message}`);
    say(`  ${error.remedy}`);
  } else if (error instanceof PolicyFileError || error instanceof PrincipalsFileError) {
    say(`${colors.red('✗')} ${error.message}`);
    say('  Correct the file and start again.');
  } else {
    console.error(error);
  }
}

/** The answer with its quotes and the address of its run. */
export function printAnswer(outcome: Outcome, url: string | null): void {
  const lines = [
    '',
    colors.bold(`Q: ${outcome.question}`),
    `A: ${outcome.answer ?? outcome.reason?.message ?? outcome.status}`,
    ...(outcome.limitation ? [colors.yellow(outcome.limitation)] : []),
    ...outcome.citations.flatMap(({ n, title, section, quote, ...source }) => {
      const from = sourceLine(source);
      const line = `   [${n}] ${title}${section ? ` › ${section}` : ''}: ${colors.dim(`“${quote}”`)}`;
      return from === null ? [line] : [line, `       ${from}`];
    }),
    ...outcome.degraded.map(({ step, reason, instead }) =>
      colors.yellow(`   ${step} failed (${reason}); used instead: ${instead}`),
    ),
    colors.dim(`   ${outcome.status}, verdict ${outcome.verdict ?? 'none'}, ${outcome.timings.totalMs} ms`),
    ...(url ? [`   The run, step by step: ${url}`] : []),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

export function printNextCommands(settings: Settings): void {
  say('Try next, in another terminal:');
  say('  npx plumbline ask "What restocking fee do we charge when a customer returns goods?"');
  say('  npx plumbline ingest path/to/your/documents');
  say('  npx plumbline runs list');
  say(`Data: ${settings.dataDir}. Stop with Ctrl-C.`);
}
