import type { IndexPort } from '../adapters/index/port.ts';
import type { ModelProviders } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Citation, Grounding, Statement } from '../domain/contracts/answer.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import {
  checkBeforeModel,
  checkGrounding,
  groundingOf,
  type RuleVerdict,
} from '../domain/grounding/check-grounding.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { groundingSources } from './grounding-sources.ts';
import { checkByEntailment, checkByModel } from './models/check-statements.ts';
import { readEvidence } from './read-evidence.ts';
import { step, type StepContext } from './step.ts';

export interface CheckGroundingInput {
  access: Access;
  statements: Statement[];
  citations: Citation[];
  /** Who checks beside the rules: `local/rules` nobody, another local model by entailment, else a chat model. */
  checker: ModelChoice;
  grounding: Policy['grounding'];
}

export interface CheckGroundingDependencies {
  index: Pick<IndexPort, 'passages'>;
  models: ModelProviders;
  prompts: Prompts;
}

/**
 * Reads the cited passages back from the index and checks every statement against its quotes: by rules, and where the policy names a checker, by
 * that one for all statements that the rules neither refuse for good nor find word for word in their source.
 */
export function createCheckGrounding(deps: CheckGroundingDependencies) {
  return step(async (input: CheckGroundingInput, context): Promise<{ grounding: Grounding }> => {
    const passages = await readEvidence(deps.index, input.access, {
      ids: input.citations.map(({ evidenceId }) => evidenceId),
    });
    const sources = groundingSources(passages);
    const { statements, citations, checker } = input;
    if (checker.provider === 'local' && checker.model === 'rules')
      return { grounding: checkGrounding(statements, citations, sources) };
    const byRules = checkBeforeModel(statements, citations, sources);
    return { grounding: await withChecker(input, byRules, { deps, context }) };
  });
}

async function withChecker(
  input: CheckGroundingInput,
  byRules: RuleVerdict[],
  using: { deps: CheckGroundingDependencies; context: StepContext },
): Promise<Grounding> {
  const open = byRules.flatMap((verdict, index) => {
    const statement = input.statements[index];
    return verdict.verdict === 'open' && statement ? [{ statement, premise: verdict.premise }] : [];
  });
  const judged = open.length === 0 ? [] : await judgeOpen(input, open, using);
  const statements = byRules.map((verdict) =>
    verdict.verdict === 'open'
      ? (judged.shift() ?? { supported: false, reason: 'not checked' })
      : { supported: verdict.verdict === 'certain', reason: verdict.reason },
  );
  const method = open.length === 0 ? 'rules' : input.checker.provider === 'local' ? 'entailment' : 'model';
  return groundingOf(statements, method);
}

function judgeOpen(
  { citations, checker, grounding }: CheckGroundingInput,
  open: { statement: Statement; premise: string }[],
  { deps, context }: { deps: CheckGroundingDependencies; context: StepContext },
): Promise<Grounding['statements']> {
  if (checker.provider !== 'local') {
    const statements = open.map(({ statement }) => statement);
    return checkByModel({ statements, citations, checker }, deps, context);
  }
  const pairs = open.map(({ statement, premise }) => ({ statement: statement.text, premise }));
  const { models } = deps;
  return checkByEntailment(pairs, { models, checker, threshold: grounding.entailment }, context.signal);
}
