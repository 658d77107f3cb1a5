import { Command, InvalidArgumentError, Option } from 'commander';
import { questionStatuses, type QuestionSummary } from '../../../question-view.ts';
import type { ApiClient } from '../../api-client.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { listRuns, type RunFilter } from '../../list-runs.ts';
import { colorsFor, printable } from '../../output.ts';
import { sinceFlag, typeFlag } from '../../run-filter.ts';

interface ListFlags extends RunFilter {
  limit: number;
  json: boolean;
}

export function listCommand(done: Done): Command {
  return new Command('list')
    .description('The newest runs that you may see.')
    .option('--limit <n>', 'how many, at most 200', limit, 20)
    .addOption(new Option('--status <status>', 'only those').choices(questionStatuses))
    .option(...typeFlag)
    .option(...sinceFlag)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline runs list\n  plumbline runs list --status abstained --limit 50\n' +
        '  plumbline runs list --type Model.InsufficientQuota --since 2h',
    )
    .action(async (options: ListFlags) => {
      const questions = await newest(await connect(), options);
      if (options.json) process.stdout.write(`${JSON.stringify(questions, null, 2)}\n`);
      else questions.forEach(printLine);
      if (questions.length === 0 && !options.json) process.stderr.write('There are no such runs.\n');
      done(exitCodes.ok);
    });
}

async function newest(api: ApiClient, { limit: most, ...filter }: ListFlags): Promise<QuestionSummary[]> {
  const found: QuestionSummary[] = [];
  for await (const question of listRuns(api, { pageSize: most, ...filter })) {
    found.push(question);
    if (found.length === most) break;
  }
  return found;
}

function printLine({ id, question, status, askedAt }: QuestionSummary): void {
  const colors = colorsFor(process.stdout);
  const [first = ''] = printable(question).split('\n');
  const short = first.length > 70 ? `${first.slice(0, 69)}…` : first;
  process.stdout.write(
    `${id}  ${colors.dim(askedAt.slice(0, 19).replace('T', ' '))}  ${status.padEnd(19)}  ${short}\n`,
  );
}

function limit(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > 200)
    throw new InvalidArgumentError('It must be a number from 1 to 200.');
  return count;
}
