import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelError } from '../port.ts';
import { pairKinds, type PairKind } from './pair-kinds.ts';

/** A pair model's folder, as far as it can be read without loading the weights. */
export type PairFiles = {
  kind: PairKind;
  modelPath: string;
  tokenizerPath: string;
  /** The names of the model's classes, by number; empty where config.json has none. */
  labels: string[];
  /** Longest pair in tokens, special ones included. */
  maxTokens: number;
};

/** Longer pairs cost time that grows with the square of their length, and few models gain by it. */
const longestPair = 512;

/** What is read of the config.json of a model in the layout of the Hugging Face hub. */
const configSchema = z.object({
  id2label: z.record(z.string(), z.string()).optional(),
  max_position_embeddings: z.number().int().min(32).optional(),
  model_type: z.string().optional(),
});

/**
 * @throws ModelError `not_installed` naming the file that cannot be read and the setting; `bad_model` for a config.json that is none
 */
export async function locatePairFiles(dir: string, kind: PairKind): Promise<PairFiles> {
  const { title, setting } = pairKinds[kind];
  const path = (name: string) => join(dir, name);
  for (const name of ['model.onnx', 'tokenizer.json', 'config.json']) {
    await access(path(name)).catch((cause: unknown) => {
      throw new ModelError(
        'not_installed',
        `${title} is not installed: cannot read ${path(name)}. Set ${setting} to a folder with model.onnx, tokenizer.json and config.json, or unset it.`,
        { retryable: false, cause },
      );
    });
  }
  const config = readConfig(await readFile(path('config.json'), 'utf8'), { title, file: path('config.json') });
  return {
    kind,
    modelPath: path('model.onnx'),
    tokenizerPath: path('tokenizer.json'),
    labels: labelsOf(config.id2label ?? {}),
    maxTokens: Math.min(longestPair, positionsOf(config)),
  };
}

function readConfig(text: string, { title, file }: { title: string; file: string }): z.infer<typeof configSchema> {
  try {
    return configSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ModelError('bad_model', `${title} cannot be used: ${file} is not the config.json of a model.`, {
      retryable: false,
      cause,
    });
  }
}

function labelsOf(id2label: Record<string, string>): string[] {
  return Object.entries(id2label)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, label]) => label);
}

/** Models of RoBERTa's kind keep two of their positions for themselves. */
function positionsOf({ max_position_embeddings: positions, model_type: type }: z.infer<typeof configSchema>): number {
  if (positions === undefined) return longestPair;
  return /roberta|camembert|mpnet|xlm/i.test(type ?? '') ? positions - 2 : positions;
}
