import { Command } from 'commander';
import type { QuestionSummary, QuestionView } from '../../../question-view.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { colorsFor, printable, writeLines } from '../../output.ts';
import { printQuestion } from '../../print-question.ts';
import { printForks } from '../../print-forks.ts';
import { printStory } from '../../print-story.ts';

export function showCommand(done: Done): Command {
  return new Command('show')
    .description('One run: its outcome, evidence, corrections and times.')
    .argument('<id>')
    .option('--json', 'print JSON', false)
    .addHelpText('after', '\nExample:\n  plumbline runs show 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d')
    .action(async (id: string, { json }: { json: boolean }) => {
      const api = await connect();
      const path = `/v1/questions/${encodeURIComponent(id)}`;
      const view = await api.get<QuestionView>(path);
      if (json) process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
      else {
        writeLines(process.stdout, colorsFor(process.stdout).bold(printable(view.question)));
        printQuestion(view);
        printStory(view);
        printForks(view, (await api.get<{ forks: QuestionSummary[] }>(`${path}/forks`)).forks);
      }
      done(exitCodes.ok);
    });
}
