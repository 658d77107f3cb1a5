import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import { writeBulk } from './bulk.ts';
import { filterFields } from './filters.ts';
import { versionKey } from './keys.ts';
import { changeEntry, readEntry } from './registry.ts';
import type { DocumentId, RegisteredVersion } from './entry.ts';
import { scan } from './scan.ts';
import type { Store } from './store.ts';

/**
 * First the registry, in one step and for versions being ingested too: from then on nobody reads what was taken from them. Then the copies
 * beside the passages, by which searches filter. A crash between the two hides the document from those who have just been given it, until
 * the call is repeated or the next version is published.
 */
export async function updateMetadata(store: Store, id: DocumentId, metadata: DocumentMetadata): Promise<boolean> {
  const changed = (version: RegisteredVersion): RegisteredVersion => ({ ...version, metadata });
  const before = await changeEntry(store, id, (entry) => {
    if (!entry?.live) return null;
    return { ...entry, live: changed(entry.live), staged: entry.staged.map(changed) };
  });
  if (!before?.live) return false;
  await updatePassages(store, id);
  return true;
}

/** Repeated until the entry stays as it was meanwhile: of two changes at once, the passages end with the one that the entry has. */
async function updatePassages(store: Store, id: DocumentId): Promise<void> {
  for (;;) {
    const before = await readEntry(store, id);
    if (!before?.entry.live) return;
    const { version, metadata } = before.entry.live;
    const index = store.alias.passages;
    const query = { term: { versionKey: versionKey({ ...id, version }) } };
    await store.patient.indices.refresh({ index });
    for await (const page of scan(store, { index, query })) {
      const doc = filterFields(metadata);
      const operations = page.map(({ _id = '' }) => ({
        action: { update: { _id, routing: id.tenant, retry_on_conflict: 3 } },
        source: { doc },
        accept: [404],
      }));
      await writeBulk(store, { alias: index }, operations);
    }
    await store.patient.indices.refresh({ index });
    const after = await readEntry(store, id);
    if (after?.condition.if_seq_no === before.condition.if_seq_no) return;
  }
}
