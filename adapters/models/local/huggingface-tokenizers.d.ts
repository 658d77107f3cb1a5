/** What is used of the library. Its own declarations (0.2) import each other without extensions, which Node's resolution does not find. */
declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    /** @throws Error when `tokenizer` is not the content of a tokenizer.json. */
    constructor(tokenizer: object, config: object);
    encode(
      text: string,
      options: { add_special_tokens: boolean; text_pair: string; return_token_type_ids: true },
    ): { ids: number[]; tokens: string[]; token_type_ids?: number[] };
    encode(text: string, options: { add_special_tokens: boolean }): { ids: number[]; tokens: string[] };
    token_to_id(token: string): number | undefined;
  }
}
