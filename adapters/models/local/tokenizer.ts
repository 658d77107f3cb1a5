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
  /** @throws ModelError `bad_model` when the vocabulary lacks `token`. */
  idOf(token: string): number;
}

/** @throws ModelError `bad_model` when the file is no tokenizer. */
export async function loadTokenizer(tokenizerPath: string): Promise<PieceTokenizer> {
  let tokenizer: Tokenizer;
  try {
    const parsed: unknown = JSON.parse(await readFile(tokenizerPath, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('model' in parsed)) throw new Error('not a tokenizer.json');
    tokenizer = new Tokenizer(parsed, {});
  } catch (error) {
    throw fromModelFailure(toModelFailure(error, 'reading its tokenizer'), error);
  }
  return {
    encode(text) {
      const { ids, tokens } = tokenizer.encode(text, { add_special_tokens: false });
      return { ids, pieces: tokens };
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
