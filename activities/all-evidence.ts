import type { IndexPort } from '../adapters/index/port.ts';
import type { EvidenceStore } from '../adapters/store/port.ts';
import { isWebPassageId } from './web-passage-id.ts';

/** Passages of the corpus and of the web alike, by their ids, in that order; what is gone is left out. */
export function allEvidence(index: IndexPort, store: EvidenceStore): Pick<IndexPort, 'passages' | 'document'> {
  return {
    document: (access, documentId) => index.document(access, documentId),
    async passages(access, ids, options) {
      const [corpus, web] = await Promise.all([
        index.passages(
          access,
          ids.filter((id) => !isWebPassageId(id)),
          options,
        ),
        readWeb(store, access.tenant, ids.filter(isWebPassageId)),
      ]);
      const byId = new Map([...corpus, ...web].map((passage) => [passage.id, passage]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

async function readWeb(store: EvidenceStore, tenant: string, ids: string[]) {
  return ids.length === 0 ? [] : store.get(tenant, ids);
}
