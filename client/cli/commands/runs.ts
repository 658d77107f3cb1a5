import { Command, InvalidArgumentError, Option } from 'commander';
import { questionStatuses, type QuestionSummary, type QuestionView } from '../../question-view.ts';
import { connect } from '../connect.ts';
import type { Done } from '../done.ts';
import { exitCodes } from '../exit-codes.ts';
import { colorsFor, printable, writeLines } from '../output.ts';
import { printQuestion } from '../print-question.ts';
import { printStory } from '../print-story.ts';

export function runsCommand(done: Done): Command {
  const runs = new Command('runs').description('Look at the runs of questions.');
  runs
    .command('list')
    .description('The newest runs that you may see.')
    .option('--limit <n>', 'how many, at most 200', limit, 20)
    .addOption(new Option('--status <status>', 'only those').choices(questionStatuses))
    .option('--json', 'print JSON', false)
    .addHelpText('after', '\nExamples:\n  plumbline runs list\n  plumbline runs list --status abstained --limit 50')
    .action(async (options: { limit: number; status?: string; json: boolean }) => {
      const query = new URLSearchParams({
        limit: String(options.limit),
        ...(options.status ? { status: options.status } : {}),
      });
      const { questions } = await (
        await connect()
      ).get<{ questions: QuestionSummary[] }>(`/v1/questions?${query.toString()}`);
      if (options.json) process.stdout.write(`${JSON.stringify(questions, null, 2)}\n`);
      else questions.forEach(printLine);
      if (questions.length === 0 && !options.json) process.stderr.write('There are no such runs.\n');
      done(exitCodes.ok);
    });
  runs
    .command('show')
    .description('One run: its outcome, evidence, corrections and times.')
    .argument('<id>')
    .option('--json', 'print JSON', false)
    .addHelpText('after', '\nExample:\n  plumbline runs show 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d')
    .action(async (id: string, { json }: { json: boolean }) => {
      const view = await (await connect()).get<QuestionView>(`/v1/questions/${encodeURIComponent(id)}`);
      if (json) process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
      else {
        writeLines(process.stdout, colorsFor(process.stdout).bold(printable(view.question)));
        printQuestion(view);
        printStory(view);
      }
      done(exitCodes.ok);
    });
  runs
    .command('cancel')
    .description('Stop a run.')
    .argument('<id>')
    .action(async (id: string) => {
      await (await connect()).delete(`/v1/questions/${encodeURIComponent(id)}`);
      process.stderr.write('The run was asked to stop.\n');
      done(exitCodes.ok);
    });
  return runs;
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
