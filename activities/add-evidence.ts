import { Context } from '@temporalio/activity';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { DocumentParser } from '../adapters/parsers/port.ts';
import type { EvidenceStore, TenantRules } from '../adapters/store/port.ts';
import type { PageFetcher } from '../adapters/web/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import type { AddedEvidence } from '../domain/contracts/review.ts';
import type { WebPolicy } from '../domain/contracts/web-policy.ts';
import { takeInAddress } from './reviewer/take-in-address.ts';
import { takeInFile, takeInText } from './reviewer/take-in-file.ts';
import type { TakenIn } from './reviewer/taken-in.ts';
import { step } from './step.ts';
import { keepPages } from './web/keep-pages.ts';
import { nearestFirst } from './web/nearest-first.ts';

export interface AddEvidenceInput {
  access: Access;
  /** As the asker meant it, alone. */
  question: string;
  evidence: AddedEvidence;
  /** What it weighs in a conflict, 0–100, and how long it is kept, in hours. */
  authority: number;
  keepHours: number;
  web: WebPolicy;
  /** Similarity from which two passages count as one. */
  nearDuplicate: number;
  /** Passages that come back at most. */
  k: number;
}

export interface AddEvidenceOutput {
  /** Nearest to the question first; origin `reviewer`. */
  evidence: EvidenceRef[];
  /** Why there is nothing, or what was lost on the way, in words for the reviewer; null when all went well. */
  note: string | null;
}

export interface AddEvidenceDependencies {
  embedding: EmbeddingModel;
  parser: Pick<DocumentParser, 'parse'>;
  pages: PageFetcher;
  evidence: EvidenceStore;
  tenantRules: TenantRules;
  /** Where uploads are; files of other places are not read, and none without it. */
  spoolDir?: string;
}

/** So many times more passages are compared with the question than come back. */
const compared = 3;

/**
 * Takes in what a reviewer gives as evidence: reads it as documents and pages are read, keeps it in the evidence store, and returns the passages nearest
 * to the question. What cannot be used is told in the note; what may pass is thrown.
 */
export function createAddEvidence(deps: AddEvidenceDependencies) {
  return step(async (input: AddEvidenceInput, { signal }): Promise<AddEvidenceOutput> => {
    const taken = await takeIn(deps, input, signal);
    if ('refusal' in taken) return { evidence: [], note: taken.refusal };
    const { access, question, authority, keepHours, nearDuplicate, k } = input;
    const keeping = { tenant: access.tenant, question, authority, keepHours, nearDuplicate, corpusTexts: [] };
    const kept = await keepPages(deps, [taken.page], {
      input: { ...keeping, origin: 'reviewer', most: k * compared },
      signal,
    });
    const near = nearestFirst(kept, await deps.embedding.embedQuery(question, signal), 'reviewer');
    const notes = [
      ...taken.losses.slice(0, shownLosses),
      ...(near.length > k ? [`Only the ${k} passages nearest to the question are used.`] : []),
    ];
    return { evidence: near.slice(0, k), note: notes.join(' ') || null };
  });
}

const shownLosses = 3;

function takeIn(deps: AddEvidenceDependencies, input: AddEvidenceInput, signal: AbortSignal): Promise<TakenIn> {
  const { evidence, access, web } = input;
  switch (evidence.from) {
    case 'text':
      return takeInText(deps.parser, evidence, signal);
    case 'file':
      return takeInFile(deps, evidence, signal);
    case 'address':
      return takeInAddress(deps, { tenant: access.tenant, url: evidence.url, web, lastTry: isLastTry() }, signal);
  }
}

/** The run can tell the reviewer no more than the type of a failure. */
function isLastTry(): boolean {
  const { attempt, retryPolicy } = Context.current().info;
  return attempt >= (retryPolicy?.maximumAttempts || Infinity);
}
