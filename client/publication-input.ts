import type { Client } from '@temporalio/client';
import type { Access } from '../domain/contracts/access.ts';
import { ingestionOptionsSchema } from '../domain/contracts/ingestion.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { PublicationRequest, PublishReviewInput, Reviewed } from '../domain/contracts/publication.ts';
import { publishable } from '../domain/review/publishable.ts';
import { titleOf } from '../domain/review/reviewed-document.ts';
import { searchAttributes } from '../workflows/search-attributes.ts';
import type { FoundQuestion } from './found-question.ts';
import { notPublishable } from './publication-failures.ts';
import { runEnd } from './run-end.ts';
import { callTemporal } from './temporal-calls.ts';

/** What a reviewed document weighs in a conflict where its policy is not known any more. */
const usualAuthority = 80;

/** What of a question's run can be published. @throws PlumblineError `Review.NotPublishable`, saying what it is instead; `Temporal.Unavailable` */
export async function reviewedOf(client: Client, { id, handle, description }: FoundQuestion): Promise<Reviewed> {
  if (description.status.name === 'RUNNING') throw notPublishable(id, 'its run still goes on');
  const end = await callTemporal(client, () => runEnd(handle));
  if (end.status === 'cancelled') throw notPublishable(id, 'its run was cancelled');
  if (end.status === 'failed') throw notPublishable(id, `its run failed (${end.reason.code})`);
  const reviewed = publishable(end.result);
  if ('why' in reviewed) throw notPublishable(id, reviewed.why);
  return reviewed;
}

/** All that the publication's workflow needs; it weighs what the policy of the question says of reviewers. */
export function publicationInput(
  { tenant, user, groups }: Access,
  { id, memo, description }: FoundQuestion,
  { asked, reviewed, policies }: { asked: PublicationRequest; reviewed: Reviewed; policies: Map<string, Policy> },
): PublishReviewInput {
  const policy = policies.get(description.typedSearchAttributes.get(searchAttributes.policy) ?? '');
  return {
    tenant,
    user,
    groups,
    questionId: id,
    question: memo.question,
    asker: { groups: memo.groups },
    reviewed,
    title: asked.title ?? titleOf(memo.question),
    validUntil: asked.validUntil,
    wanted: asked.groups ?? null,
    allowWider: asked.allowWider,
    authority: policy?.review.authority ?? usualAuthority,
    ingestion: ingestionOptionsSchema.parse({}),
  };
}
