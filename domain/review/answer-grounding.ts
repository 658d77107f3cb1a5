import type { Grounding } from '../contracts/answer.ts';
import type { ReviewSource } from '../contracts/review.ts';
import { groundingOf } from '../grounding/check-grounding.ts';
import { givenText, type GivenPart, type GivenText } from './given-text.ts';
import { sourcePassages, type SourcePassage } from './source-passages.ts';
import { contradiction, supportingSpans, type Supported, type SupportingSpan } from './supporting-spans.ts';

export interface GivenAnswer {
  text: string;
  /** Null: the reviewer is the source. */
  sourceText: ReviewSource['text'];
  /** Whether it stands although the rules do not find it in the source's text. */
  vouched: boolean;
  reviewer: string;
}

export interface GroundedAnswer {
  answer: GivenText;
  /** Null where the reviewer is the source. */
  source: (GivenText & { passages: SourcePassage[] }) | null;
  statements: GroundedStatement[];
  /** One judgement a statement, in order; `fail` too where the answer says nothing. */
  grounding: Grounding;
}

export interface GroundedStatement {
  text: string;
  /** Spans of the source; `itself`: the statement as it stands in the answer. Empty only where the source holds no text. */
  support: SupportingSpan[] | 'itself';
  /** The statement's own place in the answer. */
  part: GivenPart;
}

/**
 * Cuts a reviewer's answer into statements and finds what of the source supports each, by the rules that hold for every answer. What the rules do not
 * find stands only where the reviewer vouches for it or is the source, and then rests on the reviewer's own words.
 * @param othersFirst called before each statement, and each item with what leads to it: one may take 20 ms, a long answer has hundreds
 */
export async function groundAnswer(given: GivenAnswer, othersFirst: () => Promise<unknown>): Promise<GroundedAnswer> {
  const answer = givenText(given.text);
  const source = given.sourceText === null ? null : givenText(given.sourceText);
  const passages = source === null ? null : sourcePassages(source);
  const statements: GroundedStatement[] = [];
  const judged: Grounding['statements'] = [];
  for (const part of answer.parts) {
    await othersFirst();
    const { support, judgement } = await judge(saidBy(part, answer), { passages, othersFirst }, given);
    statements.push({ text: answer.text.slice(part.start, part.end), part, support });
    judged.push(judgement);
  }
  const method = passages === null || given.vouched ? 'reviewer' : 'rules';
  return {
    answer,
    source: source === null || passages === null ? null : { ...source, passages },
    statements,
    grounding: groundingOf(judged, method),
  };
}

/** A list item's words, and with what leads to them. */
interface Said {
  words: string;
  inFull: string | null;
  /** Of what leads to a list: each item with it. */
  items: string[];
}

function saidBy(part: GivenPart, { text, parts }: GivenText): Said {
  const { leadIn } = part;
  const wordsOf = ({ wordsFrom, end }: GivenPart): string => text.slice(wordsFrom, end);
  const words = wordsOf(part);
  return {
    words,
    inFull: leadIn === null ? null : `${wordsOf(leadIn)} ${words}`,
    items: parts.filter((one) => one.leadIn === part).map((item) => `${words} ${wordsOf(item)}`),
  };
}

async function judge(
  said: Said,
  { passages, othersFirst }: { passages: readonly SourcePassage[] | null; othersFirst: () => Promise<unknown> },
  { vouched, reviewer }: GivenAnswer,
): Promise<Pick<GroundedStatement, 'support'> & Pick<Supported, 'judgement'>> {
  if (passages === null) return byReviewer(`${reviewer} is the source`);
  const { spans, judgement } = await supportOf(said, passages, othersFirst);
  if (vouched && !judgement.supported)
    return byReviewer(`vouched for by ${reviewer} (by the rules: ${judgement.reason})`);
  return { support: spans, judgement };
}

/** A list item holds with what leads to it, or alone where both together contradict nothing: lists are led to in other words ("You need:"). */
async function supportOf(
  { words, inFull, items }: Said,
  passages: readonly SourcePassage[],
  othersFirst: () => Promise<unknown>,
): Promise<Supported> {
  const alone = supportingSpans(words, passages);
  if (inFull === null)
    return alone.judgement.supported ? alone : ((await withAll(items, passages, othersFirst)) ?? alone);
  const whole = supportingSpans(inFull, passages);
  if (whole.judgement.supported || !alone.judgement.supported) return whole;
  const reason = contradiction(inFull, alone);
  return reason === null ? alone : { ...alone, judgement: { supported: false, reason } };
}

/** "Bring these:" says nothing alone, and holds where it holds with every item. */
async function withAll(
  items: readonly string[],
  passages: readonly SourcePassage[],
  othersFirst: () => Promise<unknown>,
): Promise<Supported | null> {
  let first: Supported | null = null;
  for (const item of items) {
    await othersFirst();
    const found = supportingSpans(item, passages);
    if (!found.judgement.supported) return null;
    first ??= found;
  }
  return first;
}

function byReviewer(reason: string): { support: 'itself'; judgement: Supported['judgement'] } {
  return { support: 'itself', judgement: { supported: true, reason } };
}
