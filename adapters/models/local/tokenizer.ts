import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { fromModelFailure, toModelFailure } from './model-failure.ts';

export type Tokens = {
  ids: number[];
  /** The pieces as text; a piece that continues a word begins with `##`. */
  pieces: string[];
};

/** Splits text into the model's word pieces, without special tokens or prefix. Deterministic. */
export interface PieceTokenizer {
  encode(text: string): Tokens;
  /** Two texts with the special tokens that join them; `types` tells the first (0) from the second (1), where the model does. */
  encodePair(first: string, second: string): { ids: number[]; types: number[] };
  /** @throws ModelError `bad_model` when the vocabulary lacks `token`. */
  idOf(token: string): number;
}

/** @param model for messages. @throws ModelError `bad_model` when the file is no tokenizer. */
export async function loadTokenizer(tokenizerPath: string, model?: string): Promise<PieceTokenizer> {
  let tokenizer: Tokenizer;
  try {
    const parsed: unknown = JSON.parse(await readFile(tokenizerPath, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('model' in parsed)) throw new Error('not a tokenizer.json');
    tokenizer = new Tokenizer(parsed, {});
  } catch (error) {
    throw fromModelFailure(toModelFailure(error, 'reading its tokenizer', model), error);
  }
  return {
    encode(text) {
      const { ids, tokens } = tokenizer.encode(text, { add_special_tokens: false });
      return { ids, pieces: tokens };
    },
    encodePair(first, second) {
      const options = { text_pair: second, add_special_tokens: true, return_token_type_ids: true } as const;
      const { ids, token_type_ids: types } = tokenizer.encode(first, options);
      return { ids, types: types ?? ids.map(() => 0) };
    },
    idOf(token) {
      const id = tokenizer.token_to_id(token);
      if (id === undefined) {
        throw fromModelFailure({
          code: 'bad_model',
          message: `The tokenizer does not know ${token}.`,
          retryable: false,
        });
      }
      return id;
    },
  };
}
