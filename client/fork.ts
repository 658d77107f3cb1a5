import type { WorkflowExecutionDescription } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import { forkRequestSchema, type ForkRequest, type ModelOverrides } from '../domain/contracts/fork.ts';
import { policySchema, type Policy } from '../domain/contracts/policy.ts';
import { modelId } from '../domain/rules/model-id.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { forkMemo, type AskedMemo } from './asker.ts';
import { PlumblineError } from './failures.ts';

/** The most forks of one question that are listed, newest first. */
export const mostForks = 200;

export interface ForkOptions extends ForkRequest {
  /** A repeated fork under this key gets the first one's run. */
  idempotencyKey?: string | undefined;
}

interface PlannedFork {
  memo: AskedMemo;
  policy: Policy;
}

/**
 * The run that a fork is to start: the question of the original, the forker's own access, and a policy that keeps its name under other models
 * (`versions.models` of the outcome tells them). Without a policy's name it is the original's, as it stands now.
 * @throws ZodError for wrong models; PlumblineError `Question.UnknownPolicy`, `Question.IdleModel`
 */
export function planFork(
  access: Access,
  original: { id: string; memo: AskedMemo; description: WorkflowExecutionDescription },
  options: { request: ForkRequest; policyOf: (name: string | undefined) => Policy },
): PlannedFork {
  const request = forkRequestSchema.parse(options.request);
  const name = request.policy ?? original.description.typedSearchAttributes.get(searchAttributes.policy);
  return { memo: forkMemo(access, original, request), policy: withModels(options.policyOf(name), request.models) };
}

function withModels(policy: Policy, models: ModelOverrides = {}): Policy {
  if (models.grade && modelId(models.grade) !== modelId(policy.models.grade) && gradesHereOnly(policy)) {
    throw new PlumblineError(
      'Question.IdleModel',
      `policy "${policy.name}" has no model asked for grades (its grading.method is local), so a model for the role grade would be idle; leave it out, or name a policy with the method cascade or model`,
    );
  }
  return policySchema.parse({ ...policy, models: { ...policy.models, ...models } });
}

function gradesHereOnly({ grading, tiers, web }: Policy): boolean {
  const gradesWeb = tiers.includes('web') && web.mode !== 'never';
  return grading.method === 'local' && !(gradesWeb && web.grading !== 'local');
}
