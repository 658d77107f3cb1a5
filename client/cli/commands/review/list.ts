import { Command, InvalidArgumentError, Option } from 'commander';
import { reviewReasonSchema } from '../../../../domain/contracts/review-policy.ts';
import { waitingStates } from '../../../noted-review.ts';
import type { ReviewLine, ReviewPage } from '../../../review-view.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { colorsFor, printable } from '../../output.ts';
import { minute } from '../../print-waiting.ts';

interface ListFlags {
  state?: string;
  reason?: string;
  limit: number;
  before?: string;
  json: boolean;
}

export function listCommand(done: Done): Command {
  return new Command('list')
    .description('What waits for you, the latest asked first.')
    .addOption(new Option('--state <state>', 'only those').choices(waitingStates))
    .addOption(new Option('--reason <reason>', 'only those').choices(reviewReasonSchema.options))
    .option('--limit <n>', 'how many, at most 200', limit, 50)
    .option('--before <time>', 'the next page: as the page before says')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline review list\n  plumbline review list --state open --reason conflicting',
    )
    .action(async ({ json, ...filter }: ListFlags) => {
      const given = Object.entries(filter).map(([name, value]) => [name, String(value)]);
      const query = new URLSearchParams(Object.fromEntries(given) as Record<string, string>);
      const page = await (await connect()).get<ReviewPage>(`/v1/reviews?${query.toString()}`);
      if (json) process.stdout.write(`${JSON.stringify(page, null, 2)}\n`);
      else printPage(page);
      done(exitCodes.ok);
    });
}

function printPage({ reviews, next }: ReviewPage): void {
  reviews.forEach(printLine);
  if (reviews.length === 0) process.stderr.write('Nothing waits for you.\n');
  if (next !== null) process.stderr.write(`More: --before ${next}\n`);
}

function printLine({ id, question, state, claimedBy, reason, deadline }: ReviewLine): void {
  const { dim } = colorsFor(process.stdout);
  const [first = ''] = printable(question).split('\n');
  const short = first.length > 60 ? `${first.slice(0, 59)}…` : first;
  const stands = claimedBy === null ? state : `${state} by ${printable(claimedBy)}`;
  const why = reason.replaceAll('_', ' ').padEnd(18);
  process.stdout.write(`${id}  ${dim(`until ${minute(deadline)}`)}  ${stands.padEnd(16)}  ${why}  ${short}\n`);
}

function limit(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > 200)
    throw new InvalidArgumentError('It must be a number from 1 to 200.');
  return count;
}
