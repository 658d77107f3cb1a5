import type { StoredPassage } from '../../adapters/index/port.ts';
import type { ModelProviders } from '../../adapters/models/port.ts';
import type { Grade } from '../../domain/contracts/evidence.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { Analysis } from '../../domain/contracts/question.ts';
import { aspectLines } from '../../domain/prompting/aspects.ts';
import { fence, fenceDocuments } from '../../domain/prompting/fence.ts';
import {
  gradeAnswerAccepted,
  gradeAnswerSchema,
  passageLabel,
  readGrades,
} from '../../domain/prompting/grade-answer.ts';
import type { Prompts } from '../../domain/prompting/prompts.ts';
import { labelOf, roundedScore, uncertainGrade } from '../../domain/rules/grade.ts';
import { asksAboutOrders, withoutOrders } from '../../domain/untrusted/orders.ts';
import type { StepContext } from '../step.ts';
import { newNonce } from './nonce.ts';
import { inRange, scorePairs } from './score-pairs.ts';
import { structuredCall } from './structured-call.ts';

export interface JudgeInput {
  passages: StoredPassage[];
  question: string;
  analysis: Analysis;
  grading: Policy['grading'];
  judge: ModelChoice;
}

/** All passages and all aspects in one call of a chat model. One grade a passage, in order. */
export async function judgeByModel(
  { passages, question, analysis, grading, judge }: JudgeInput,
  deps: { models: ModelProviders; prompts: Prompts },
  { signal, calls }: StepContext,
): Promise<Grade[]> {
  const model = deps.models.chat(judge);
  const nonce = newNonce();
  const documents = passages.map(({ context, text }, index) => ({
    id: passageLabel(index),
    context,
    text: asksAboutOrders(question) ? text : withoutOrders(text, 'own'),
  }));
  const { grades } = await structuredCall<{ grades: unknown[] }>({
    model,
    choice: judge,
    prompt: deps.prompts.grade,
    values: {
      question: fence('question', question, nonce),
      aspects: fence('aspects', aspectLines(analysis.aspects), nonce),
      passages: fenceDocuments(documents, nonce),
    },
    nonce,
    schema: gradeAnswerSchema,
    accept: gradeAnswerAccepted,
    schemaName: 'grade',
    step: 'grade',
    calls,
    signal,
  });
  const evidenceIds = passages.map(({ id }) => id);
  return readGrades(grades, { evidenceIds, aspects: analysis.aspects, judge: model.id }, grading);
}

/**
 * Every pair of aspect and passage by a local cross-encoder. One grade a passage, in order: the score of its best aspect.
 * @throws ModelError `bad_model` when the scorer does not give one score a pair
 */
export async function judgeByPairs(
  { passages, analysis, grading, judge }: JudgeInput,
  models: ModelProviders,
  signal: AbortSignal,
): Promise<Grade[]> {
  const scorer = models.pairScorer(judge);
  const { aspects } = analysis;
  const pairs = passages.flatMap(({ context, text }) =>
    aspects.map((aspect) => ({ first: aspect.text, second: `${context}\n${text}` })),
  );
  const scores = await scorePairs(scorer, pairs, signal);
  return passages.map(({ id }, p) => {
    const own = scores.slice(p * aspects.length, (p + 1) * aspects.length);
    if (!own.every(inRange)) return uncertainGrade(id, `${scorer.id}: the score is out of range`);
    const best = Math.max(0, ...own);
    return {
      evidenceId: id,
      score: roundedScore(best),
      label: labelOf(best, grading),
      aspects: aspects.filter((_, a) => (own[a] ?? 0) >= grading.relevant).map((aspect) => aspect.id),
      reason: `${scorer.id}: ${best.toFixed(2)}`,
    };
  });
}
