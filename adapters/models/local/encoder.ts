import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from '../port.ts';
import { dimensions, textTokensPerWindow } from './e5.ts';
import type { Role } from './e5.ts';
import type { ExitGuard } from './exit-guard.ts';
import type { ModelFiles } from './model-files.ts';
import { fromModelFailure, toModelFailure } from './model-failure.ts';
import { loadTokenizer } from './tokenizer.ts';
import type { PieceTokenizer } from './tokenizer.ts';
import { meanRow, tokenWindows, weightedMean } from './windows.ts';

/** Embeds one text at a time on the calling thread, which it blocks: ONNX Runtime's `run` is synchronous in Node. */
export interface Encoder {
  /** A vector of unit length. @throws ModelError */
  embed(role: Role, text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Loads tokenizer and weights, about 100 MB. @throws ModelError `bad_model` when a file is damaged or of another kind of model. */
export async function loadEncoder({ modelPath, tokenizerPath }: ModelFiles, guard: ExitGuard): Promise<Encoder> {
  const tokenizer = await loadTokenizer(tokenizerPath);
  const create = () =>
    InferenceSession.create(modelPath, {
      // A second intra-op thread spins while it waits, which costs more than it brings on busy cores.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // A pattern is kept for every length of text: 100 MB more after some hundred texts, for the same speed.
      enableMemPattern: false,
      // Failures are thrown; the runtime need not print them too.
      logSeverityLevel: 4,
    });
  const session = await attempt('loading its weights', () => guard.run(create));
  requireSentenceModel(session);
  const encoder = encoderOf({ session, tokenizer, guard });
  // Fails now rather than at the first question if the weights and the vocabulary do not belong together.
  await encoder.embed('query', 'ready');
  return encoder;
}

type Parts = { session: InferenceSession; tokenizer: PieceTokenizer; guard: ExitGuard };

function encoderOf({ session, tokenizer, guard }: Parts): Encoder {
  const cls = tokenizer.idOf('[CLS]');
  const sep = tokenizer.idOf('[SEP]');
  const prefixes = { query: tokenizer.encode('query:').ids, passage: tokenizer.encode('passage:').ids };
  const [output = ''] = session.outputNames;

  /**
   * One text a run: the model's int8 activations share one scale per run, so with others in the run a vector would differ by
   * a cosine of up to 0.005 according to its neighbours.
   */
  async function embedWindow(role: Role, window: number[]): Promise<Float32Array> {
    const ids = BigInt64Array.from([cls, ...prefixes[role], ...window, sep], BigInt);
    const shape = [1, ids.length];
    const inputs = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    };
    const result = await guard.run(() => session.run(inputs));
    const states = result[output]?.data;
    if (!(states instanceof Float32Array)) throw new Error('its output is not float32');
    const vector = meanRow(states, dimensions);
    if (!vector.every(Number.isFinite)) throw new Error('its output is not a number');
    return vector;
  }

  return {
    embed: (role, text) =>
      attempt('embedding a text', async () => {
        const parts: Parameters<typeof weightedMean>[0] = [];
        for (const window of tokenWindows(tokenizer.encode(text), textTokensPerWindow)) {
          parts.push({ vector: await embedWindow(role, window), tokens: window.length });
        }
        return weightedMean(parts);
      }),
    close: () => guard.run(() => session.release()),
  };
}

function requireSentenceModel(session: InferenceSession): void {
  const inputs = [...session.inputNames].sort().join();
  const [output] = session.outputMetadata;
  const width = output?.isTensor ? output.shape.at(-1) : undefined;
  if (inputs === 'attention_mask,input_ids,token_type_ids' && width === dimensions) return;
  throw new ModelError('bad_model', `The model is not e5-small-v2: inputs ${inputs}, output of width ${width}.`, {
    retryable: false,
  });
}

async function attempt<T>(doing: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw fromModelFailure(toModelFailure(error, doing), error);
  }
}
