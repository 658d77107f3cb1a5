/** What is fenced: text of documents and the web, and what the asker wrote. */
export type FenceTag = 'document' | 'question' | 'aspects' | 'statements' | 'notes';

export interface FencedDocument {
  /** Our own short id within the prompt: p1, d3. */
  id: string;
  /** Titles and headings of the text, data as well; put before it. */
  context?: string;
  text: string;
}

const tags = ['document', 'question', 'aspects', 'statements', 'notes'] as const satisfies FenceTag[];
const lookalike = new RegExp(`<(?=\\s*/?\\s*(?:${tags.join('|')})\\s*-)`, 'giu');
const ownId = /^[a-z]\d{1,5}$/;
const ownNonce = /^[0-9a-z]{16,}$/;

/**
 * A text as data between delimiters that carry the call's nonce, which nobody who wrote the text could know.
 * @throws RangeError when the text holds the nonce: then it is not secret
 */
export function fence(tag: FenceTag, text: string, nonce: string): string {
  return between(`<${tag}-${nonce}>`, text, { tag, nonce });
}

/** Documents as data, each between delimiters of its own that name its id. @throws RangeError as `fence` */
export function fenceDocuments(documents: readonly FencedDocument[], nonce: string): string {
  return documents
    .map(({ id, context, text }) => {
      if (!ownId.test(id)) throw new RangeError('a document in a prompt is named by a letter and a number');
      const whole = context ? `${context}\n${text}` : text;
      return between(`<document-${nonce} id="${id}">`, whole, { tag: 'document', nonce });
    })
    .join('\n\n');
}

function between(opening: string, text: string, { tag, nonce }: { tag: FenceTag; nonce: string }): string {
  if (!ownNonce.test(nonce)) throw new RangeError('a nonce has at least 16 digits and small letters');
  if (text.toLowerCase().includes(nonce)) throw new RangeError('a text to be fenced holds the nonce');
  return `${opening}\n${neutralised(text)}\n</${tag}-${nonce}>`;
}

/** Without anything that looks like a delimiter of ours: its `<` becomes `‹`. Length and offsets stay (UTF-16 code units). */
export function neutralised(text: string): string {
  return text.replace(lookalike, '‹');
}
