import { randomUUID } from 'node:crypto';
import { Argument, Command, InvalidArgumentError } from 'commander';
import type { DecisionResult } from '../../../../domain/contracts/review.ts';
import type { ApiClient } from '../../api-client.ts';
import { CliError } from '../../cli-error.ts';
import { connect } from '../../connect.ts';
import { decisionOf, decisionWords, type DecisionFlags, type DecisionWord } from '../../decision-flags.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { followRun } from '../../follow-run.ts';
import { exitCodeOf, printQuestion } from '../../print-question.ts';
import { reviewOf } from './show.ts';

interface DecideFlags extends DecisionFlags {
  comment?: string;
  round?: number;
  requestId?: string;
  wait?: boolean;
  json: boolean;
}

export function decideCommand(done: Done): Command {
  return new Command('decide')
    .description(
      'Decide. One decision on a round counts; a repeated one with the same --request-id gets the first result.',
    )
    .argument('<id>')
    .addArgument(new Argument('<decision>').choices(Object.keys(decisionWords)))
    .option('--text <text>', 'answer: your answer; add-evidence: the text')
    .option('--text-file <path>', 'the same, from a file')
    .option('--source-title <text>', 'answer: what it is from; your own name where it is you')
    .option('--source-uri <uri>', 'answer: where that is')
    .option('--source-text <text>', 'answer: the words that it rests on; without them you are the source')
    .option('--source-file <path>', 'the same, from a text file')
    .option('--vouch', 'answer: it stands although its source does not say all of it')
    .option('--file <path>', 'add-evidence: a document')
    .option('--url <address>', 'add-evidence: a page of the web')
    .option('--title <text>', 'add-evidence: title of the text or document')
    .option('--uri <uri>', 'add-evidence: where the text is from')
    .option('--query <text>', 'retry: search for this')
    .option('--hint <text>', 'retry: search with these words beside the question')
    .option('--web', 'retry: search the web, too')
    .option('--max-cost <usd>', 'retry: pay models up to this', cost)
    .option('--reason <text>', 'reject, decline: why')
    .option('--comment <text>', 'a line for the trail')
    .option('--round <n>', 'the round that you have seen; default: the present one', count)
    .option('--request-id <id>', 'with --round: makes a repeated call the same decision; default: a new one')
    .option('--wait', 'then wait for the outcome; default on a terminal')
    .option('--no-wait', 'do not')
    .option('--json', 'print the result (with --wait: the outcome) as JSON and nothing else', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline review decide ID confirm\n' +
        '  plumbline review decide ID answer --text "The fee is 12 %." --source-title "Fees 2026" --source-file fees.txt\n' +
        '  plumbline review decide ID add-evidence --file manual.pdf\n' +
        '  plumbline review decide ID retry --hint "lock gate" --web',
    )
    .action(async (id: string, word: DecisionWord, flags: DecideFlags) => {
      done(await decide(id, word, flags));
    });
}

async function decide(id: string, word: DecisionWord, flags: DecideFlags): Promise<number> {
  const { comment, round, requestId, json, wait = process.stdout.isTTY === true, ...own } = flags;
  const given = await decisionOf(word, own);
  const api = await connect();
  const seen = round ?? (await reviewOf(api, id)).round;
  const path = `/v1/reviews/${encodeURIComponent(id)}/decisions`;
  const key = requestId ?? randomUUID();
  const common = { round: seen, ...(comment === undefined ? {} : { comment }) };
  const body = 'decision' in given ? { ...common, decision: given.decision } : formOf(common, given);
  const result = await api
    .post<DecisionResult>(path, body, { 'Idempotency-Key': key })
    .catch((error: unknown) => Promise.reject(unlessUnheard(error, { key, seen })));
  const goesOn = result.state === 'continuing';
  if (!json) process.stderr.write(`${told(id, result)}\n`);
  if (wait && goesOn) return outcome(api, { id, since: result.at, json });
  if (json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  return exitCodes.ok;
}

/** Where nobody answered, the decision may have been taken all the same: the same call once more tells. */
function unlessUnheard(error: unknown, { key, seen }: { key: string; seen: number }): unknown {
  if (!(error instanceof CliError) || error.exitCode !== exitCodes.unreachable) return error;
  const remedy = `It may have been taken all the same. Repeat it with: --round ${seen} --request-id ${key}`;
  return new CliError(error.exitCode, error.message, remedy);
}

function formOf(
  fields: Record<string, string | number>,
  { file, name, title }: { file: Blob; name: string; title: string | undefined },
): FormData {
  const form = new FormData();
  const texts = { ...fields, ...(title === undefined ? {} : { title }) };
  for (const [field, value] of Object.entries(texts)) form.append(field, String(value));
  form.append('file', file, name);
  return form;
}

async function outcome(
  api: ApiClient,
  { id, since, json }: { id: string; since: string; json: boolean },
): Promise<number> {
  const view = await followRun(api, id, { quiet: json, since });
  if (json) process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
  else {
    process.stderr.write('\n');
    printQuestion(view);
  }
  return exitCodeOf(view);
}

function told(id: string, { state, kind }: DecisionResult): string {
  if (state === 'proposed')
    return `Proposed. A second reviewer lets it stand: plumbline review decide ${id} approve (or decline).`;
  return `Decided. ${goesOn[kind]}`;
}

/** How the run goes on. */
const goesOn: Record<DecisionResult['kind'], string> = {
  confirm: 'The outcome stands as it is.',
  answer: 'The answer is taken as the outcome, if it stands in its source.',
  addEvidence: 'The evidence is read, and the run goes on with it.',
  retry: 'The run searches again.',
  reject: 'Nothing is released: the question is denied.',
  approve: 'What was proposed is done.',
  decline: 'It is open again.',
};

function cost(value: string): number {
  const usd = Number(value);
  if (!Number.isFinite(usd) || usd <= 0)
    throw new InvalidArgumentError('It must be an amount in US dollars, such as 0.5.');
  return usd;
}

function count(value: string): number {
  const round = Number(value);
  if (!Number.isInteger(round) || round < 1) throw new InvalidArgumentError('It must be a number from 1 on.');
  return round;
}
