import { z } from 'zod';
import { hasControlCharacters } from '../text/control-characters.ts';
import type { PageSpan } from '../text/page-mentions.ts';

export const maxQuestionCharacters = 8000;
export const minQuestionCharacters = 3;

const hasWord = /[\p{L}\p{N}]/u;

/** A question as asked, length in UTF-16 code units. Only punctuation ("?") is let in: the run asks for clarification. */
export const questionTextSchema = z
  .string({ error: 'the question must be a string' })
  .refine(
    (text) => text.isWellFormed(),
    'the question holds half of a character (a lone surrogate); send valid Unicode',
  )
  .refine((text) => !hasControlCharacters(text), 'the question contains control characters; remove them')
  .transform((text) => text.trim())
  .refine((text) => text.length > 0, 'the question is empty; send some text')
  .refine(
    (text) => text.length <= maxQuestionCharacters,
    `the question is longer than ${maxQuestionCharacters} characters; shorten it`,
  )
  .refine(
    (text) => !hasWord.test(text) || [...text].length >= minQuestionCharacters || isIdeographic(text),
    `the question is shorter than ${minQuestionCharacters} characters; ask in full`,
  );

export const questionRequestSchema = z.strictObject({
  question: questionTextSchema,
  policy: z.string().min(1).max(100).optional(),
});
export type QuestionRequest = z.infer<typeof questionRequestSchema>;

/** One thing that an answer must cover. */
export interface Aspect {
  id: string;
  text: string;
  /** Stems of the content words looked for. */
  terms: string[];
  /** What a clause that says "it" is about, taken from an earlier clause; part of `text` but not of `terms`. */
  subject: string | null;
}

/** What the analyse step finds in a question. */
export interface Analysis {
  /** `unclear`: nothing to search for; `smalltalk`: no information is asked for. */
  kind: 'question' | 'unclear' | 'smalltalk';
  language: string;
  /** Codes and part numbers exactly as written (INV-1042-AB, E-0417/b). */
  identifiers: string[];
  /** Spans that the asker put in quotation marks. */
  quoted: string[];
  aspects: Aspect[];
  /** Pages that the question names: only what stands there can answer it. Empty when it names none. */
  pages: PageSpan[];
  /** The search text: the question itself, or its informative part if it is very long. */
  searchText: string;
}

function isIdeographic(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}
