import type { PairFiles } from './pair-files.ts';
import { loadPairModel } from './pair-model.ts';
import { serveModel } from './model-thread-main.ts';

export type PairRequest = { first: string; second: string };

serveModel<PairFiles, PairRequest, number>({
  model: 'The pair model',
  doing: 'scoring a pair',
  load: async (files, guard) => {
    const model = await loadPairModel(files, guard);
    return {
      answer: async ({ first, second }) => ({ value: await model.score(first, second) }),
      close: () => model.close(),
    };
  },
});
