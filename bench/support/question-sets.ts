import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonLines } from './eval-data.ts';
import type { JudgedCorpus } from './judged-corpus.ts';

interface Squad {
  data: {
    title: string;
    paragraphs: { context: string; qas: { id: string; question: string; is_impossible: boolean }[] }[];
  }[];
}

/** One question of three is enough for the third decimal. */
const squadStride = 3;

/** SQuAD 2.0: every paragraph is a document, and the answer to each of its questions that can be answered. */
export async function readSquad(folder: string): Promise<JudgedCorpus> {
  const { data } = JSON.parse(await readFile(join(folder, 'dev-v2.0.json'), 'utf8')) as Squad;
  const paragraphs = data.flatMap(({ title, paragraphs: own }, article) =>
    own.map(({ context, qas }, n) => ({
      id: `${article}-${n}`,
      title: title.replaceAll('_', ' '),
      text: context,
      qas,
    })),
  );
  const questions = paragraphs.flatMap(({ id, qas }) =>
    qas
      .filter((qa) => !qa.is_impossible)
      .map((qa) => ({ id: qa.id, text: qa.question, judgements: new Map([[id, 1]]) })),
  );
  return {
    documents: paragraphs.map(({ id, title, text }) => ({ id, title, text })),
    queries: questions.filter((_, n) => n % squadStride === 0),
  };
}

/** ClapNQ: the passage that came with a question is the one to find, whether it answers it or not. */
export async function readClapNq(folder: string): Promise<JudgedCorpus> {
  const files = ['dev_answerable.jsonl', 'dev_unanswerable.jsonl'];
  const rows = await Promise.all(
    files.map((file) =>
      readJsonLines<{ id: string; input: string; passages: { title: string; text: string }[] }>(join(folder, file)),
    ),
  );
  const questions = rows.flat().map(({ id, input, passages: [passage] }) => {
    if (passage === undefined) throw new RangeError(`question ${id} has no passage`);
    return { id: `q${id}`, text: input, passage };
  });
  return {
    documents: questions.map(({ id, passage: { title, text } }) => ({ id, title, text })),
    queries: questions.map(({ id, text }) => ({ id, text, judgements: new Map([[id, 1]]) })),
  };
}
