import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { GroupQuestionsInput } from '../domain/contracts/gaps.ts';
import { groupQuestions } from '../domain/rules/question-groups.ts';
import { alive, othersFirst } from './ingestion/heartbeat.ts';

/** Questions embedded at the same time. */
const atOnce = 16;

/** Groups questions by meaning: indices, the most central one of each group first. */
export function createGroupQuestions({ embedding }: { embedding: Pick<EmbeddingModel, 'embedQuery'> }) {
  return ({ questions }: GroupQuestionsInput): Promise<number[][]> =>
    alive(async (signal) => {
      const embedded: { text: string; weight: number; vector: Float32Array }[] = [];
      for (let at = 0; at < questions.length; at += atOnce) {
        const batch = questions.slice(at, at + atOnce);
        const vectors = batch.map(async (question) => ({
          ...question,
          vector: await embedding.embedQuery(question.text, signal),
        }));
        embedded.push(...(await Promise.all(vectors)));
      }
      const work = groupQuestions(embedded);
      for (;;) {
        const { done, value } = work.next();
        if (done) return value;
        await othersFirst();
        signal.throwIfAborted();
      }
    });
}
