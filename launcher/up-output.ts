import colors from 'picocolors';
import type { Outcome } from '../domain/contracts/answer.ts';
import type { LauncherError } from './errors.ts';
import type { Settings } from './settings.ts';

/** One line for a person, on stderr: stdout is for answers. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function printRemedy(error: LauncherError): void {
  say(`${colors.red('✗')} ${error.message}`);
  say(`  ${error.remedy}`);
}

/** The answer with its quotes and the address of its run. */
export function printAnswer(outcome: Outcome, url: string | null): void {
  const lines = [
    '',
    colors.bold(`Q: ${outcome.question}`),
    `A: ${outcome.answer ?? outcome.reason?.message ?? outcome.status}`,
    ...(outcome.limitation ? [colors.yellow(outcome.limitation)] : []),
    ...outcome.citations.map(
      ({ n, title, section, quote }) =>
        `   [${n}] ${title}${section ? ` › ${section}` : ''}: ${colors.dim(`“${quote}”`)}`,
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
