import { writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Command } from 'commander';
import type { ReplayReport } from '../../../../domain/contracts/replay.ts';
import { CliError } from '../../cli-error.ts';
import { readSettings } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { whyUnusable } from '../../file-errors.ts';
import { printReplay, type Replayed } from '../../print-replay.ts';
import { fetchRuns, readHistory, type FetchedRun } from '../../recorded-runs.ts';

type Replay = (source: string) => Promise<ReplayReport>;

export function replayCommand(done: Done): Command {
  return new Command('replay')
    .description("Check recorded runs against this copy's code, and say where they part. Nothing is done anew.")
    .argument('<id or file...>', 'ids of questions, or files as --save or "temporal workflow show --output json" write')
    .option('--save <file>', 'also write the history of the one run there')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExits 1 when one parts from the code, 2 when one cannot be read.\n\nExamples:\n' +
        '  plumbline runs replay 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d --save run.json\n' +
        '  plumbline runs replay test/histories/*.json',
    )
    .action(async (sources: string[], { save, json }: { save?: string; json: boolean }) => {
      const replay = await replayer(sources, save);
      const replayed: Replayed[] = [];
      for (const source of sources) {
        const entry = await replay(source).then(
          (report) => ({ source, report }),
          (error: unknown) => ({ source, problem: problemOf(error) }),
        );
        replayed.push(entry);
        if (!json) printReplay(entry);
      }
      if (json) process.stdout.write(`${JSON.stringify(replayed, null, 2)}\n`);
      done(exitCodeOf(replayed));
    });
}

/** Files are read as they come, runs fetched at once beforehand: what cannot be seen is told before anything is replayed. */
async function replayer(sources: string[], save: string | undefined): Promise<Replay> {
  const files = new Map<string, unknown>();
  for (const source of sources) {
    const history = await readHistory(source).catch((error: unknown) => error);
    if (history !== null) files.set(source, history);
  }
  const runs = await fetchRuns(sources.filter((source) => !files.has(source)).map(requireId));
  if (save !== undefined) await saveHistory(save, { runs, sources });
  const { createReplayer } = await import('../../../../launcher/replayer.ts');
  const replayHistory = createReplayer(await readSettings());
  return async (source) => {
    const run = runs.get(source);
    if (run) return replayHistory(run.history, run);
    const history = files.get(source);
    if (history instanceof Error) throw history;
    return replayHistory(history);
  };
}

function requireId(source: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(source)) return source;
  throw new CliError(exitCodes.usage, `There is no file ${source}, and it is no question's id.`);
}

async function saveHistory(
  path: string,
  { runs, sources }: { runs: Map<string, FetchedRun>; sources: string[] },
): Promise<void> {
  const [run] = runs.values();
  if (run === undefined || sources.length > 1)
    throw new CliError(exitCodes.usage, '--save wants one question: plumbline runs replay ID --save FILE');
  await writeFile(path, `${historyToJSON(run.history)}\n`).catch((error: unknown) => {
    const remedy = 'Give --save a file in a folder that is there and that you may write to.';
    throw new CliError(exitCodes.usage, `${path} cannot be written: ${whyUnusable(error)}.`, remedy);
  });
  process.stderr.write(`Wrote ${path}. It holds the question and what the steps gave: read it before you share it.\n`);
}

/** Of a history that cannot be used; anything else is no matter of the history. */
function problemOf(error: unknown): string {
  if (error instanceof CliError) return error.message;
  if (error instanceof Error && error.name === 'HistoryError') return `It cannot be replayed: ${error.message}.`;
  throw error;
}

function exitCodeOf(replayed: Replayed[]): number {
  if (replayed.some((entry) => 'report' in entry && !entry.report.ok)) return exitCodes.failed;
  return replayed.some((entry) => 'problem' in entry) ? exitCodes.usage : exitCodes.ok;
}
