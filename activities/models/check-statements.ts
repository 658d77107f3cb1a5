import type { ModelProviders } from '../../adapters/models/port.ts';
import type { Citation, Grounding, Statement } from '../../domain/contracts/answer.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import { fence, fenceDocuments } from '../../domain/prompting/fence.ts';
import type { Prompts } from '../../domain/prompting/prompts.ts';
import {
  citationLabel,
  readVerdicts,
  statementLines,
  verdictAnswerAccepted,
  verdictAnswerSchema,
} from '../../domain/prompting/verdict-answer.ts';
import type { StepContext } from '../step.ts';
import { newNonce } from './nonce.ts';
import { inRange, scorePairs } from './score-pairs.ts';
import { structuredCall } from './structured-call.ts';

type Judgements = Grounding['statements'];

/** All statements against their quotes in one call of a chat model. One judgement a statement, in order. */
export async function checkByModel(
  { statements, citations, checker }: { statements: Statement[]; citations: Citation[]; checker: ModelChoice },
  deps: { models: ModelProviders; prompts: Prompts },
  { signal, calls }: StepContext,
): Promise<Judgements> {
  const model = deps.models.chat(checker);
  const nonce = newNonce();
  const documents = citations
    .filter(({ n }) => statements.some((statement) => statement.citations.includes(n)))
    .map(({ n, title, section, quote }) => ({
      id: citationLabel(n),
      context: [title, section].filter(Boolean).join(' › '),
      text: quote,
    }));
  const { verdicts } = await structuredCall<{ verdicts: unknown[] }>({
    model,
    choice: checker,
    prompt: deps.prompts['check-grounding'],
    values: {
      statements: fence('statements', statementLines(statements), nonce),
      documents: fenceDocuments(documents, nonce),
    },
    nonce,
    schema: verdictAnswerSchema,
    accept: verdictAnswerAccepted,
    schemaName: 'check',
    step: 'check-grounding',
    calls,
    signal,
  });
  return readVerdicts(verdicts, { count: statements.length, judge: model.id });
}

/**
 * Every pair of premise and statement by a local entailment model. One judgement a pair, in order.
 * @throws ModelError `bad_model` when the scorer does not give one score a pair
 */
export async function checkByEntailment(
  pairs: { premise: string; statement: string }[],
  { models, checker, threshold }: { models: ModelProviders; checker: ModelChoice; threshold: number },
  signal: AbortSignal,
): Promise<Judgements> {
  const scorer = models.pairScorer(checker);
  const scores = await scorePairs(
    scorer,
    pairs.map(({ premise, statement }) => ({ first: premise, second: statement })),
    signal,
  );
  return scores.map((score) => {
    if (!inRange(score)) return { supported: false, reason: `${scorer.id}: the score is out of range` };
    const shown = `${scorer.id}: ${score.toFixed(2)}`;
    return score >= threshold
      ? { supported: true, reason: shown }
      : { supported: false, reason: `${shown}, less than ${threshold}` };
  });
}
