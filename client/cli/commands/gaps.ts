import { Command, InvalidArgumentError } from 'commander';
import type { GapReport } from '../../../domain/contracts/gaps.ts';
import { connect } from '../connect.ts';
import type { Done } from '../done.ts';
import { exitCodes } from '../exit-codes.ts';
import { printGaps } from '../print-gaps.ts';

interface GapFlags {
  since: string;
  limit: number;
  all: boolean;
  json: boolean;
}

export function gapsCommand(done: Done): Command {
  return new Command('gaps')
    .description(
      'What the documents do not answer: questions that abstained or needed a person, by meaning, and what would close each.',
    )
    .option('--since <time>', 'asked from when on: 24h, 30d, or a date', '30d')
    .option('--limit <n>', 'how many groups, at most 100', limit, 20)
    .option('--all', 'also those that were closed meanwhile', false)
    .option('--json', 'print JSON', false)
    .addHelpText('after', '\nExamples:\n  plumbline gaps\n  plumbline gaps --since 7d --json | jq ".groups[].closes"')
    .action(async ({ json, ...flags }: GapFlags) => {
      const query = new URLSearchParams({
        since: flags.since,
        limit: String(flags.limit),
        all: String(flags.all),
      });
      const report = await (await connect()).get<GapReport>(`/v1/gaps?${query.toString()}`);
      if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else printGaps(report, flags);
      done(exitCodes.ok);
    });
}

function limit(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > 100)
    throw new InvalidArgumentError('It must be a number from 1 to 100.');
  return count;
}
