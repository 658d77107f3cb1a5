import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EvidenceStore } from '../adapters/store/port.ts';
import type { SourceFile } from '../domain/contracts/ingestion.ts';
import type { PublishReviewInput } from '../domain/contracts/publication.ts';
import { publicationGroups } from '../domain/review/publication-groups.ts';
import { reviewedDocumentId } from '../domain/review/reviewed-document-id.ts';
import { reviewedDocument, type GivenEvidence } from '../domain/review/reviewed-document.ts';
import { writeWhole } from './ingestion/atomic-write.ts';
import { claimDocumentId } from './ingestion/claim.ts';
import { alive } from './ingestion/heartbeat.ts';
import { filesOf, type RunRef } from './ingestion/run.ts';

export interface WriteReviewedDependencies {
  index: Pick<IndexPort, 'document'>;
  evidence: Pick<EvidenceStore, 'get'>;
  spoolDir: string;
}

export interface WriteReviewedInput {
  /** The ingestion that is to take the file in, and to remove it. */
  run: RunRef;
  publication: PublishReviewInput;
}

export interface WriteReviewedOutput {
  file: SourceFile;
  groups: string[];
  wider: boolean;
}

/** Every reviewed document has it. */
const tag = 'reviewed';

/**
 * Writes what a reviewer gave as a Markdown file among the uploads of an ingestion, with its metadata. Repeatable: the same publication gives the same bytes.
 * @throws ApplicationFailure `Publication.GroupsNeeded`, `Publication.GroupsTooWide` (see `publicationGroups`), `Publication.EvidenceGone`
 */
export function createWriteReviewed({ index, evidence, spoolDir }: WriteReviewedDependencies) {
  return ({ run, publication }: WriteReviewedInput): Promise<WriteReviewedOutput> =>
    alive(async () => {
      const { groups, wider } = await groupsOf(index, publication);
      const given = await givenEvidence(evidence, publication);
      const { questionId, title, validUntil, authority, reviewed } = publication;
      const name = `reviewed-${questionId}.md`;
      const path = join(filesOf(run, spoolDir).uploads, name);
      await writeWhole(path, reviewedDocument(publication, given));
      const documentId = reviewedDocumentId(questionId);
      // Only so may the ingestion take a file in under such an id.
      await claimDocumentId(run, { documentId, name, path }, spoolDir);
      const uri = (reviewed.text.kind === 'answer' ? reviewed.text.sources : given)[0]?.uri ?? '';
      const overrides = {
        id: documentId,
        title,
        uri,
        tags: [tag],
        status: 'active' as const,
        authority,
        effectiveFrom: reviewed.decidedAt.slice(0, 10),
        effectiveTo: validUntil,
        groups,
      };
      return { file: { path, name, uri, overrides }, groups, wider };
    });
}

async function groupsOf(
  index: WriteReviewedDependencies['index'],
  { tenant, user, groups, wanted, allowWider, asker, reviewed }: PublishReviewInput,
): Promise<{ groups: string[]; wider: boolean }> {
  const access = { tenant, user, groups };
  const cited = await Promise.all(
    reviewed.citedDocuments.map(async (id) => (await index.document(access, id))?.metadata.groups ?? null),
  );
  const decided = publicationGroups({ wanted, allowWider, asker: asker.groups, cited });
  if ('refused' in decided) throw refused(decided.refused, decided.message);
  return decided;
}

/** By source, in the order in which the answer cites them. */
async function givenEvidence(
  evidence: WriteReviewedDependencies['evidence'],
  { tenant, reviewed: { text } }: PublishReviewInput,
): Promise<GivenEvidence[]> {
  if (text.kind === 'answer') return [];
  const passages = await evidence.get(tenant, text.passages);
  if (passages.length < text.passages.length)
    throw refused(
      'Publication.EvidenceGone',
      'what the reviewer gave is not kept any more: take its document in with `plumbline ingest`',
    );
  const byDocument = new Map<string, StoredPassage[]>();
  for (const passage of passages)
    byDocument.set(passage.documentId, [...(byDocument.get(passage.documentId) ?? []), passage]);
  return [...byDocument.values()].map((own) => ({ title: own[0]?.title ?? '', uri: own[0]?.uri ?? '', passages: own }));
}

function refused(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
