import { Tensor, type InferenceSession } from 'onnxruntime-node';
import { ModelError } from '../port.ts';
import { dimensions, textTokensPerWindow } from './e5.ts';
import type { Role } from './e5.ts';
import type { ExitGuard } from './exit-guard.ts';
import type { ModelFiles } from './model-files.ts';
import { fromModelFailure, toModelFailure } from './model-failure.ts';
import { openSession } from './session.ts';
import { sharedRuns } from './shared-runs.ts';
import { loadTokenizer } from './tokenizer.ts';
import type { PieceTokenizer } from './tokenizer.ts';
import { meanRow, tokenWindows, weightedMean } from './windows.ts';

/** Embeds on the calling thread, which it blocks: ONNX Runtime's `run` is synchronous in Node. */
export interface Encoder {
  /** A vector of unit length for each text, in order. Short passages share runs (`sharedRuns`). @throws ModelError */
  embed(role: Role, texts: string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Loads tokenizer and weights, about 100 MB. @throws ModelError `bad_model` when a file is damaged or of another kind of model. */
export async function loadEncoder({ modelPath, tokenizerPath }: ModelFiles, guard: ExitGuard): Promise<Encoder> {
  const tokenizer = await loadTokenizer(tokenizerPath);
  const session = await attempt('loading its weights', () => guard.run(() => openSession(modelPath)));
  requireSentenceModel(session);
  const encoder = encoderOf({ session, tokenizer, guard });
  // Fails now rather than at the first question if the weights and the vocabulary do not belong together.
  await encoder.embed('query', ['ready']);
  return encoder;
}

type Parts = { session: InferenceSession; tokenizer: PieceTokenizer; guard: ExitGuard };

function encoderOf({ session, tokenizer, guard }: Parts): Encoder {
  const cls = tokenizer.idOf('[CLS]');
  const sep = tokenizer.idOf('[SEP]');
  const prefixes = { query: tokenizer.encode('query:').ids, passage: tokenizer.encode('passage:').ids };
  const pad = BigInt(tokenizer.idOf('[PAD]'));
  const [output = ''] = session.outputNames;

  /** One run. The mean of a window's own states, so that what fills up the shorter ones does not count. */
  async function embedWindows(role: Role, windows: number[][]): Promise<Float32Array[]> {
    const rows = windows.map((window) => BigInt64Array.from([cls, ...prefixes[role], ...window, sep], BigInt));
    const width = Math.max(...rows.map(({ length }) => length));
    const ids = new BigInt64Array(rows.length * width).fill(pad);
    const mask = new BigInt64Array(ids.length);
    for (const [at, row] of rows.entries()) {
      ids.set(row, at * width);
      mask.fill(1n, at * width, at * width + row.length);
    }
    const shape = [rows.length, width];
    const inputs = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    };
    const result = await guard.run(() => session.run(inputs));
    const states = result[output]?.data;
    if (!(states instanceof Float32Array)) throw new Error('its output is not float32');
    return rows.map(({ length }, at) => {
      const vector = meanRow(states.subarray(at * width * dimensions, (at * width + length) * dimensions), dimensions);
      if (!vector.every(Number.isFinite)) throw new Error('its output is not a number');
      return vector;
    });
  }

  return {
    embed: (role, texts) =>
      attempt('embedding a text', async () => {
        const windows = texts.flatMap((text, of) =>
          tokenWindows(tokenizer.encode(text), textTokensPerWindow).map((ids) => ({ of, ids })),
        );
        const parts: { vector: Float32Array; tokens: number }[][] = texts.map(() => []);
        const runs = role === 'query' ? windows.map((_, n) => [n]) : sharedRuns(windows.map(({ ids }) => ids.length));
        for (const run of runs) {
          const together = run.flatMap((n) => windows[n] ?? []);
          const vectors = await embedWindows(
            role,
            together.map(({ ids }) => ids),
          );
          for (const [at, { of, ids }] of together.entries()) {
            const vector = vectors[at];
            if (vector) parts[of]?.push({ vector, tokens: ids.length });
          }
        }
        return parts.map(weightedMean);
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
