/** e5 is trained with `query: ` before a question and `passage: ` before a document (https://arxiv.org/abs/2212.03533). */
export type Role = 'query' | 'passage';

export const modelId = 'local/e5-small-v2';

export const dimensions = 384;

/** The model has 512 positions; [CLS], the two tokens of the prefix and [SEP] take four. */
export const textTokensPerWindow = 512 - 4;
