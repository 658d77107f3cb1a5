import { Command } from 'commander';
import { connect } from '../connect.ts';
import type { Done } from '../done.ts';
import { followRun } from '../follow-run.ts';
import { writeAddress } from '../output.ts';
import { exitCodeOf, printQuestion } from '../print-question.ts';
import { printRemarks } from '../print-remarks.ts';

interface AskOptions {
  json: boolean;
  wait: boolean;
  policy?: string;
}

export function askCommand(done: Done): Command {
  return new Command('ask')
    .description('Ask a question of the documents. Steps go to standard error, the answer to standard output.')
    .argument('<question...>', 'the question; quotes are only needed for characters that the shell takes for itself')
    .option('--json', 'print the outcome as JSON and nothing else', false)
    .option('--policy <name>', 'how the run decides; default: default')
    .option('--wait', 'wait for the end, also while a reviewer is asked', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline ask "How long is the warranty on a Heron actuator?"\n  plumbline ask --json "What does E-0417/b mean?" | jq .answer',
    )
    .action(async (words: string[], options: AskOptions) => {
      done(await ask(words.join(' '), options));
    });
}

async function ask(question: string, { json, policy, wait }: AskOptions): Promise<number> {
  const api = await connect();
  const { id } = await api.post<{ id: string }>('/v1/questions', {
    question,
    ...(policy === undefined ? {} : { policy }),
  });
  const view = await followRun(api, id, { quiet: json, throughReviews: wait });
  if (json) {
    process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
    return exitCodeOf(view);
  }
  process.stderr.write('\n');
  printQuestion(view);
  printRemarks(view);
  const where = view.run.url ?? `plumbline runs show ${view.id}`;
  writeAddress(process.stderr, 'The run, step by step: ', where);
  return exitCodeOf(view);
}
