import type { Strip } from '../contracts/document.ts';
import type { Aspect } from '../contracts/question.ts';
import { holdsIdentifier } from '../text/identifiers.ts';
import { contentStems } from '../text/words.ts';

/**
 * Weights of the local relevance models: logistic regressions over cosines of e5-small-v2 (which lie between about 0.7 and 0.95) and the weighted
 * share of the question's content words that the best strip holds. Fitted on 500 SQuAD 2.0 questions with six paragraphs each (passages: AUC 0.953;
 * strips: 0.966; a paragraph of the same article 0.970), the bias then set for the thresholds 0.7 and 0.3: 2–3 % of same-article and no unrelated
 * paragraph at or over 0.7. See docs/decisions/0006.
 */
const passageWeights = { document: 6, bestStrip: 19, coverage: 3, bias: -21.8 };
const stripWeights = { cosine: 26, coverage: 3.4, kind: 0.5, bias: -24 };
/** Without a fitting language model, words alone decide. */
const wordsOnly = { coverage: 9, bias: -5 };

/** An answer about another code is no answer: what lacks the question's identifiers cannot be relevant; what has them all is likely meant. */
const capWithoutIdentifier = 0.1;
const identifierBonus = 1.5;
const capOnSubjectAlone = 0.25;

export interface TextFeatures {
  /** Cosine of question and passage vectors. */
  document: number;
  /** Highest cosine of question and strip vectors. */
  bestStrip: number;
  /** 0–1, of the best strip (see `termWeights`). */
  coverage: number;
  /** Whether the vectors mean something in the question's language. */
  vectorsApply: boolean;
  identifiers: 'none_asked' | 'all' | 'missing';
  /** The question's clause borrows its subject, whose name alone makes texts look near. */
  borrowedSubject: boolean;
}

export function passageScore(features: TextFeatures): number {
  const { document, bestStrip, coverage, bias } = passageWeights;
  const z = features.vectorsApply
    ? document * features.document + bestStrip * features.bestStrip + coverage * features.coverage + bias
    : wordsOnly.coverage * features.coverage + wordsOnly.bias;
  return capped(z, features);
}

export interface StripFeatures {
  cosine: number;
  coverage: number;
  /** Over 0: the strip holds the kind of thing asked for (a figure, a cause); below: it does not; 0: nothing special is asked. */
  kind: -3 | -1 | 0 | 1 | 3;
  vectorsApply: boolean;
  identifiers: TextFeatures['identifiers'];
  borrowedSubject: boolean;
}

export function stripScore(features: StripFeatures): number {
  const { cosine, coverage, kind, bias } = stripWeights;
  const z = features.vectorsApply
    ? cosine * features.cosine + coverage * features.coverage + kind * features.kind + bias
    : wordsOnly.coverage * features.coverage + wordsOnly.bias;
  return capped(z, features);
}

function capped(z: number, features: Pick<TextFeatures, 'identifiers' | 'borrowedSubject' | 'coverage'>): number {
  if (features.identifiers === 'missing') return Math.min(sigmoid(z), capWithoutIdentifier);
  const score = sigmoid(features.identifiers === 'all' ? z + identifierBonus : z);
  return features.borrowedSubject && features.coverage === 0 ? Math.min(score, capOnSubjectAlone) : score;
}

function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z));
}

/**
 * Weight of each term of an aspect: 1 + ln((n + 1) / (df + 1)) over the n texts at hand, so that a word which none of them holds
 * (it may be the very thing asked) counts more than one that all hold.
 */
export function termWeights(aspect: Pick<Aspect, 'terms'>, texts: ReadonlySet<string>[]): Map<string, number> {
  return new Map(
    aspect.terms.map((term) => {
      const df = texts.filter((text) => text.has(term)).length;
      return [term, 1 + Math.log((texts.length + 1) / (df + 1))];
    }),
  );
}

/** Weighted share of the terms that a text holds; 1 when there are no terms. */
export function coverage(weights: Map<string, number>, text: ReadonlySet<string>): number {
  let total = 0;
  let held = 0;
  for (const [term, weight] of weights) {
    total += weight;
    if (text.has(term)) held += weight;
  }
  return total === 0 ? 1 : held / total;
}

export function stemSet(text: string): Set<string> {
  return new Set(contentStems(text));
}

/** The stems of a strip, at the span that is quoted, as a reader would see it: under its headings and its table's header. */
export function stripStems(
  passage: { text: string; start: number; context: string },
  strip: Pick<Strip, 'header'>,
  span: { start: number; end: number },
): Set<string> {
  const text = passage.text.slice(span.start - passage.start, span.end - passage.start);
  return stemSet(`${passage.context}\n${strip.header?.text ?? ''}\n${text}`);
}

export function identifiersFound(asked: string[], text: string): TextFeatures['identifiers'] {
  if (asked.length === 0) return 'none_asked';
  return asked.every((identifier) => holdsIdentifier(text, identifier)) ? 'all' : 'missing';
}

const asksNumber =
  /\b(?:how (?:much|many|long|often|far|high|large|big|old|hot|cold|fast|heavy|soon|late|early)|what (?:is|are|was) the (?:\w+ ){0,3}(?:price|cost|fee|rate|amount|number|limit|maximum|minimum|percentage|share|period|deadline|temperature|torque|pressure|weight|length|size|threshold|charge|surcharge|budget|salary|duration|term|value)|which (?:year|day|date|month)|at what|what (?:time|date|year|percentage|price|temperature))\b/i;
const holdsNumber =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|half|quarter|once|twice|daily|weekly|monthly|quarterly|yearly|annually|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|immediately|never|always)\b/iu;

/** A time or a length: a bare figure (two sizes, model H60) is no answer. */
const asksExtent =
  /^\W*(?:and\s+)?(?:until |by |since )?when\b|\b(?:how (?:long|often|soon|quickly|late|early|old)|how many (?:seconds|minutes|hours|days|weeks|months|years)|what (?:time|date|day|month|year)|which (?:day|date|month|year)|deadline|duration)\b/i;
const holdsExtent =
  /\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|quarters?|annual(?:ly)?|yearly|monthly|weekly|daily|hourly|nightly|immediately|once|twice|always|never|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|[ap]m|mm|cm|km|met(?:er|re)s?|inch(?:es)?|feet|miles?)\b|\d{4}-\d{2}|\b(?:19|20)\d{2}\b|\d{1,2}:\d{2}|\d\s?m\b|[年月日時分秒週]/i;

const asksCause =
  /^\W*(?:why|how come|for what reason|what (?:caused|was the (?:cause|reason)|is the (?:cause|reason)))\b/i;
const holdsCause =
  /\b(?:because|since|due to|owing to|caused? by|cause[sd]?|as a result|result of|reason|so that|in order to|therefore|to avoid|to prevent)\b/i;

/** Whether a text holds the kind of thing that the question asks for. A cause is told by fewer words than a figure, so that it weighs more. */
export function kindMatch(question: string, text: string): StripFeatures['kind'] {
  if (asksCause.test(question)) return holdsCause.test(text) ? 3 : -3;
  if (asksExtent.test(question)) return holdsExtent.test(text) ? 1 : -1;
  if (!asksNumber.test(question)) return 0;
  return holdsNumber.test(text) ? 1 : -1;
}

/** The vectors of the local model are trained on English; in other scripts they tell little. */
export function vectorsApply(language: string): boolean {
  return !['ja', 'zh', 'ko', 'ru', 'ar'].includes(language);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
