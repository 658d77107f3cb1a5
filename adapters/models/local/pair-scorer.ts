import { ModelError, type PairScorer } from '../port.ts';
import { ModelThread } from './model-thread.ts';
import { locatePairFiles } from './pair-files.ts';
import { pairKinds, type PairKind } from './pair-kinds.ts';
import type { PairRequest } from './pair-thread-main.ts';

/** A pair model with its thread. */
export interface LocalPairScorer extends PairScorer {
  close(): Promise<void>;
}

/**
 * A cross-encoder (relevance of `second` to `first`) or an entailment model (whether `first` entails `second`) as ONNX, from a folder with
 * model.onnx, tokenizer.json and config.json as the Hugging Face hub has them. Pairs are scored one at a time on a worker thread, so that a
 * score depends on its pair alone. Of a pair longer than the model reads, 512 tokens at most, the longer text is read in windows and the best counts.
 * @throws ModelError `not_installed` when a file is missing, `bad_model` when one is damaged or says another kind of model
 */
export async function createPairScorer({ dir, kind }: { dir: string; kind: PairKind }): Promise<LocalPairScorer> {
  const files = await locatePairFiles(dir, kind);
  const start = () =>
    ModelThread.start<PairRequest, number>({
      main: new URL('./pair-thread-main.ts', import.meta.url),
      name: kind,
      start: files,
    });
  let thread = await start();
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();

  const scoreOne = async (pair: PairRequest, signal: AbortSignal): Promise<number> => {
    signal.throwIfAborted();
    if (closed) throw new ModelError('unavailable', `${pairKinds[kind].title} is closed.`, { retryable: true });
    if (!thread.alive) thread = await start();
    return thread.ask(pair);
  };

  return {
    id: `local/${kind}`,
    async score(pairs, signal) {
      const scores: number[] = [];
      for (const pair of pairs) {
        const turn = queue.then(() => scoreOne(pair, signal));
        // The next in the queue does not care how this one ends; who waits for it is told.
        queue = turn.catch(() => undefined);
        scores.push(await turn);
      }
      return scores;
    },
    async close() {
      closed = true;
      await queue;
      await thread.close();
    },
  };
}
