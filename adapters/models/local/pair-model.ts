import { Tensor, type InferenceSession } from 'onnxruntime-node';
import { ModelError } from '../port.ts';
import type { ExitGuard } from './exit-guard.ts';
import { fromModelFailure, toModelFailure } from './model-failure.ts';
import type { PairFiles } from './pair-files.ts';
import { pairKinds } from './pair-kinds.ts';
import { joinPair, pairTemplate, templateLength, type PairTemplate } from './pair-template.ts';
import { openSession } from './session.ts';
import { loadTokenizer, type PieceTokenizer } from './tokenizer.ts';
import { tokenWindows } from './windows.ts';

/** Scores one pair at a time on the calling thread, which it blocks. */
export interface PairModel {
  /** 0–1. @throws ModelError `context_too_long` when even the shorter text leaves no room for the other */
  score(first: string, second: string): Promise<number>;
  close(): Promise<void>;
}

/** Fewest tokens of the longer text that are worth a look beside the shorter one. */
const smallestWindow = 16;

/** Loads tokenizer and weights. @throws ModelError `bad_model` when a file is damaged or the model is of another kind. */
export async function loadPairModel(files: PairFiles, guard: ExitGuard): Promise<PairModel> {
  const { title } = pairKinds[files.kind];
  const tokenizer = await loadTokenizer(files.tokenizerPath, title);
  const session = await attempt(files, 'loading its weights', () => guard.run(() => openSession(files.modelPath)));
  const template = pairTemplate(tokenizer);
  if (template === null) throw bad(files, 'its tokenizer does not join two texts');
  const model = pairModelOf({ files, tokenizer, template, session, guard });
  // Fails now rather than at the first question if the parts do not belong together.
  await model.score('ready', 'ready');
  return model;
}

type Parts = {
  files: PairFiles;
  tokenizer: PieceTokenizer;
  template: PairTemplate;
  session: InferenceSession;
  guard: ExitGuard;
};

function pairModelOf({ files, tokenizer, template, session, guard }: Parts): PairModel {
  const room = files.maxTokens - templateLength(template);
  const [output = ''] = session.outputNames;

  /** One pair a run: int8 activations share one scale per run, so with others in it a score would depend on them. */
  async function scoreWindow(first: number[], second: number[]): Promise<number> {
    const { ids, types } = joinPair(template, first, second);
    const shape = [1, ids.length];
    const known: Record<string, Tensor> = {
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new Tensor('int64', BigInt64Array.from(types, BigInt), shape),
    };
    const strange = session.inputNames.filter((name) => known[name] === undefined);
    if (strange.length > 0) throw bad(files, `it wants ${strange.join(', ')}`);
    const inputs = Object.fromEntries(session.inputNames.map((name) => [name, known[name]!]));
    const logits = (await guard.run(() => session.run(inputs)))[output]?.data;
    if (!(logits instanceof Float32Array)) throw bad(files, 'its output is not float32');
    return probability([...logits], files);
  }

  return {
    /** A text that is too long is read in windows beside the other one; the best of them counts. */
    score: (first, second) =>
      attempt(files, 'scoring a pair', async () => {
        const [one, two] = [tokenizer.encode(first), tokenizer.encode(second)];
        const left = room - Math.min(one.ids.length, two.ids.length);
        if (one.ids.length + two.ids.length > room && left < smallestWindow) throw tooLong(files);
        const longFirst = one.ids.length > two.ids.length;
        let best = 0;
        for (const window of tokenWindows(longFirst ? one : two, Math.max(left, 1)))
          best = Math.max(best, await (longFirst ? scoreWindow(window, two.ids) : scoreWindow(one.ids, window)));
        return best;
      }),
    close: () => guard.run(() => session.release()),
  };
}

/** One logit: its sigmoid. Two or three: the softmax of the class that config.json names. */
function probability(logits: number[], files: PairFiles): number {
  if (!logits.every(Number.isFinite)) throw bad(files, 'its output is not a number');
  const [only] = logits;
  if (logits.length === 1 && only !== undefined) return 1 / (1 + Math.exp(-only));
  if (logits.length > 3) throw bad(files, `it has ${logits.length} outputs, not one to three`);
  const column = files.labels.length === logits.length ? files.labels.findIndex(isWanted(files)) : -1;
  const wanted = logits[column];
  if (wanted === undefined) {
    const has = files.labels.join(', ') || 'none';
    throw bad(files, `config.json does not say which of its ${logits.length} outputs is meant (id2label: ${has})`);
  }
  const top = Math.max(...logits);
  return Math.exp(wanted - top) / logits.reduce((sum, logit) => sum + Math.exp(logit - top), 0);
}

function isWanted({ kind }: PairFiles): (label: string) => boolean {
  return (label) => pairKinds[kind].label.test(label);
}

function bad({ kind }: PairFiles, detail: string): ModelError {
  return new ModelError('bad_model', `${pairKinds[kind].title} cannot be used: ${detail}.`, { retryable: false });
}

function tooLong({ kind, maxTokens }: PairFiles): ModelError {
  const message = `${pairKinds[kind].title} reads at most ${maxTokens} tokens, and both texts of a pair are too long for that.`;
  return new ModelError('context_too_long', message, { retryable: false });
}

async function attempt<T>({ kind }: PairFiles, doing: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw fromModelFailure(toModelFailure(error, doing, pairKinds[kind].title), error);
  }
}
