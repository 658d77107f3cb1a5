import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonLines } from './eval-data.ts';

/** A test collection: documents, queries and which document answers which query how well. */
export interface JudgedCorpus {
  documents: { id: string; title: string; text: string }[];
  /** Those with judgements only. */
  queries: { id: string; text: string; judgements: Map<string, number> }[];
}

interface Line {
  _id: string;
  title?: string;
  text: string;
}

/** Reads BEIR's layout: corpus.jsonl (or .gz), queries.jsonl, qrels/test.tsv. */
export async function readJudgedCorpus(folder: string): Promise<JudgedCorpus> {
  const plain = join(folder, 'corpus.jsonl');
  const documents = await readJsonLines<Line>(existsSync(plain) ? plain : `${plain}.gz`);
  const queries = await readJsonLines<Line>(join(folder, 'queries.jsonl'));
  const judgements = new Map<string, Map<string, number>>();
  for (const line of (await readFile(join(folder, 'qrels', 'test.tsv'), 'utf8')).split('\n').slice(1)) {
    const [query, document, score] = line.trim().split('\t');
    if (query === undefined || document === undefined) continue;
    judgements.set(query, (judgements.get(query) ?? new Map<string, number>()).set(document, Number(score)));
  }
  return {
    documents: documents.map(({ _id, title = '', text }) => ({ id: _id, title, text })),
    queries: queries.flatMap(({ _id, text }) => {
      const judged = judgements.get(_id);
      return judged ? [{ id: _id, text, judgements: judged }] : [];
    }),
  };
}
