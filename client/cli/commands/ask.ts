import { Command } from 'commander';
import type { LiveEvent } from '../../../domain/contracts/events.ts';
import type { QuestionView } from '../../question-view.ts';
import { connect } from '../connect.ts';
import type { Done } from '../done.ts';
import { writeAddress } from '../output.ts';
import { exitCodeOf, printQuestion } from '../print-question.ts';
import { StepPrinter } from '../print-steps.ts';

interface AskOptions {
  json: boolean;
  policy?: string;
}

export function askCommand(done: Done): Command {
  return new Command('ask')
    .description('Ask a question of the documents. Steps go to standard error, the answer to standard output.')
    .argument('<question...>', 'the question; quotes are only needed for characters that the shell takes for itself')
    .option('--json', 'print the outcome as JSON and nothing else', false)
    .option('--policy <name>', 'how the run decides; default: default')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline ask "How long is the warranty on a Heron actuator?"\n  plumbline ask --json "What does E-0417/b mean?" | jq .answer',
    )
    .action(async (words: string[], options: AskOptions) => {
      done(await ask(words.join(' '), options));
    });
}

async function ask(question: string, { json, policy }: AskOptions): Promise<number> {
  const api = await connect();
  const { id } = await api.post<{ id: string }>('/v1/questions', {
    question,
    ...(policy === undefined ? {} : { policy }),
  });
  const path = `/v1/questions/${id}`;
  const steps = new StepPrinter();
  try {
    for await (const event of api.events<LiveEvent>(`${path}/events`)) if (!json) steps.print(event);
  } finally {
    steps.end();
  }
  const view = await api.get<QuestionView>(path);
  if (json) {
    process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
    return exitCodeOf(view);
  }
  process.stderr.write('\n');
  printQuestion(view);
  const where = view.run.url ?? `plumbline runs show ${view.id}`;
  writeAddress(process.stderr, 'The run, step by step: ', where);
  return exitCodeOf(view);
}
