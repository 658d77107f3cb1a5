import { identifiers } from '../text/identifiers.ts';
import { detectLanguage } from '../text/language.ts';
import { cosine, vectorsApply } from './relevance.ts';
import { asksForOther, wordedQuestion, type WordedQuestion } from './substitutions.ts';

export interface GroupedQuestion {
  text: string;
  /** Of unit length, as a query. */
  vector: Float32Array;
  /** How often it was asked. */
  weight: number;
}

/**
 * Cosine from which two questions mean the same, unless their words ask for different things (`asksForOther`): with e5-small-v2, of 84 pairs of
 * paraphrases of the sample questions 93 % lie over it, and of 2,997 pairs of different sample questions only two, about different codes, which are told
 * apart by their codes; but so do most pairs of one frame with another word in it (geese or swans: 0.95; test/models/question-groups.test.ts).
 */
const sameMeaning = 0.9;
/** Share of content words in common from which questions mean the same in languages that the vectors do not know. */
const sameWords = 0.5;

interface Candidate extends GroupedQuestion {
  index: number;
  /** Only questions with the same one are compared. */
  key: string;
  worded: WordedQuestion;
  vectorsApply: boolean;
}

/**
 * Groups questions by meaning; gives the indices of each group, its most central question first, the group with most askers first. Rests after each
 * question, so that whoever runs it can do other work in between: it takes time by the square of their number, a few seconds for 2,000.
 *
 * Star clustering (J. Aslam et al., 1998): the question that is like most others, by how often these were asked, takes all that are like it; then the
 * next one that is left; and so on. Every member is like the centre, so no chain of small steps joins questions that are far apart, and none asks for
 * something else than another member. Ties go by the text, so that the order of the questions does not matter.
 */
export function* groupQuestions(questions: readonly GroupedQuestion[]): Generator<undefined, number[][]> {
  const candidates = questions.map(candidateOf).toSorted(byText);
  const alike = yield* neighboursOf(candidates);
  const byIndex = new Map(candidates.map((candidate) => [candidate.index, candidate]));
  const taken = new Set<number>();
  const groups: number[][] = [];
  for (const centre of mostAlikeFirst(candidates, alike)) {
    if (taken.has(centre.index)) continue;
    const group = [centre];
    for (const index of alike[centre.index] ?? []) {
      const other = byIndex.get(index);
      if (other === undefined || taken.has(index)) continue;
      if (!group.some(({ worded }) => asksForOther(worded, other.worded))) group.push(other);
      yield;
    }
    for (const { index } of group) taken.add(index);
    groups.push(group.map(({ index }) => index));
  }
  return groups;
}

function mostAlikeFirst(candidates: readonly Candidate[], alike: readonly number[][]): Candidate[] {
  const weights = new Map(candidates.map(({ index, weight }) => [index, weight]));
  const asked = ({ index }: Candidate) =>
    [index, ...(alike[index] ?? [])].reduce((sum, other) => sum + (weights.get(other) ?? 0), 0);
  const ranked = candidates.map((candidate) => ({ candidate, asked: asked(candidate) }));
  return ranked
    .toSorted((a, b) => b.asked - a.asked || b.candidate.weight - a.candidate.weight)
    .map(({ candidate }) => candidate);
}

function candidateOf(question: GroupedQuestion, index: number): Candidate {
  const language = detectLanguage(question.text);
  const applies = vectorsApply(language);
  const codes = identifiers(question.text).map((code) => code.normalize('NFKC').toLowerCase());
  const key = JSON.stringify([applies ? 'vectors' : language, ...codes.toSorted()]);
  return { ...question, index, key, worded: wordedQuestion(question.text), vectorsApply: applies };
}

/** For each question those like it, in the order of the candidates. */
function* neighboursOf(candidates: readonly Candidate[]): Generator<undefined, number[][]> {
  const alike: number[][] = candidates.map(() => []);
  for (const bucket of Map.groupBy(candidates, ({ key }) => key).values()) {
    for (const [n, one] of bucket.entries()) {
      for (const other of bucket.slice(n + 1)) {
        if (!meanTheSame(one, other)) continue;
        alike[one.index]?.push(other.index);
        alike[other.index]?.push(one.index);
      }
      yield;
    }
  }
  return alike;
}

function meanTheSame(a: Candidate, b: Candidate): boolean {
  return (
    (a.vectorsApply ? cosine(a.vector, b.vector) >= sameMeaning : shareWords(a, b)) && !asksForOther(a.worded, b.worded)
  );
}

function shareWords({ worded: { stems } }: Candidate, { worded: { stems: others } }: Candidate): boolean {
  const shared = stems.intersection(others).size;
  return shared > 0 && shared / (stems.size + others.size - shared) >= sameWords;
}

/** By code units: the same everywhere. */
function byText(a: Candidate, b: Candidate): number {
  if (a.text === b.text) return a.index - b.index;
  return a.text < b.text ? -1 : 1;
}
