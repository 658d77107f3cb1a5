import { Command, InvalidArgumentError } from 'commander';
import type { Resumption } from '../../../plumbline-client.ts';
import { CliError } from '../../cli-error.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { followRun } from '../../follow-run.ts';
import { writeAddress } from '../../output.ts';
import { exitCodeOf, printQuestion } from '../../print-question.ts';
import type { ManyFlags } from '../../print-plan.ts';
import { printRemarks } from '../../print-remarks.ts';
import { resumeFailed, showFailed } from '../../resume-failed.ts';
import { sinceFlag, typeFlag } from '../../run-filter.ts';

interface OneFlags {
  from?: string;
  reason?: string;
  wait: boolean;
  json: boolean;
}

type Flags = OneFlags & ManyFlags & { failed: boolean; yes: boolean };

export function resumeCommand(done: Done): Command {
  return new Command('resume')
    .description('Go on with a run from before the step that failed; what was done before is not done or paid again.')
    .argument('[id]')
    .option('--from <step>', 'go on from before the last start of this step, e.g. generate')
    .option('--reason <text>', 'why, for whoever reads the run later')
    .option('--wait', 'follow the run to its end', false)
    .option('--failed', 'resume all failed runs that you may; without --yes only shows them', false)
    .option(...typeFlag)
    .option(...sinceFlag)
    .option('--per-second <n>', 'resume so many a second', rate, 5)
    .option('--yes', 'with --failed: do it', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline runs resume 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d --reason "credit is back"\n' +
        '  plumbline runs resume --failed --type Model.InsufficientQuota --since 2h',
    )
    .action(async (id: string | undefined, flags: Flags) => {
      done(await (id === undefined ? resumeMany(flags) : resumeOne(id, flags)));
    });
}

async function resumeOne(id: string, { from, reason, wait, json, failed, type, since, yes }: Flags): Promise<number> {
  if (failed || yes || type !== undefined || since !== undefined)
    throw wrong('--failed, --type, --since and --yes are for many runs: give them without an id.');
  const api = await connect();
  const path = `/v1/questions/${encodeURIComponent(id)}/resumption`;
  const resumed = await api.post<Resumption>(path, { from, reason });
  if (json && !wait) process.stdout.write(`${JSON.stringify(resumed, null, 2)}\n`);
  if (!json) process.stderr.write(`Resumed from ${resumed.from ?? 'its last task'}.\n`);
  if (!wait) {
    if (!json) writeAddress(process.stderr, 'The run, step by step: ', resumed.run.url ?? `plumbline runs show ${id}`);
    return exitCodes.ok;
  }
  const view = await followRun(api, id, { quiet: json });
  if (json) process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
  else {
    printQuestion(view);
    printRemarks(view);
  }
  return exitCodeOf(view);
}

async function resumeMany({ failed, from, wait, yes, ...flags }: Flags): Promise<number> {
  if (!failed) throw wrong('Name the run to resume, or give --failed for all that failed.');
  if (from !== undefined || wait) throw wrong('--from and --wait are for one run: name it by its id.');
  const api = await connect();
  return yes ? resumeFailed(api, flags) : showFailed(api, flags);
}

function wrong(message: string): CliError {
  return new CliError(exitCodes.usage, message, 'plumbline runs resume --help');
}

function rate(value: string): number {
  const count = Number(value);
  if (count >= 0.1 && count <= 100) return count;
  throw new InvalidArgumentError('It must be a number from 0.1 to 100.');
}
