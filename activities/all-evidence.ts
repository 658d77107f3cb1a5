import type { IndexPort } from '../adapters/index/port.ts';
import type { EvidenceStore } from '../adapters/store/port.ts';
import { isKeptPassageId } from './kept-passage-id.ts';

/** Passages of the corpus, of the web and of reviewers alike, by their ids, in that order; what is gone is left out. */
export function allEvidence(index: IndexPort, store: EvidenceStore): Pick<IndexPort, 'passages' | 'document'> {
  return {
    document: (access, documentId) => index.document(access, documentId),
    async passages(access, ids, options) {
      const [corpus, kept] = await Promise.all([
        index.passages(
          access,
          ids.filter((id) => !isKeptPassageId(id)),
          options,
        ),
        readKept(store, access.tenant, ids.filter(isKeptPassageId)),
      ]);
      const byId = new Map([...corpus, ...kept].map((passage) => [passage.id, passage]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

async function readKept(store: EvidenceStore, tenant: string, ids: string[]) {
  return ids.length === 0 ? [] : store.get(tenant, ids);
}
