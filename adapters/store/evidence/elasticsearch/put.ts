import { errors } from '@elastic/elasticsearch';
import type { EvidencePage, EvidencePassage } from '../../port.ts';
import { packPassage } from '../passage-codec.ts';
import { writeBulk } from './bulk.ts';
import { statusError } from './elasticsearch-errors.ts';
import { keyOf, type StoredPage, type StoredPassageDocument } from './indices.ts';
import type { Store } from './read.ts';

const maxAttempts = 5;

/** Passages first, so that a page that is there has all of its own; those it has live as long as it does. Where two put the same page at once, the later one begins again. */
export async function put(store: Store, { text, ...head }: EvidencePage, passages: EvidencePassage[]): Promise<void> {
  const key = keyOf(head.tenant, head.id);
  const passageIds = passages.map(({ id }) => id);
  for (let attempt = 1; ; attempt += 1) {
    const before = await current(store, key);
    const wanted = new Date(head.expiresAt).toISOString();
    const expiresAt = before !== null && before.expiresAt > wanted ? before.expiresAt : wanted;
    const others = before?.passageIds.filter((id) => !passageIds.includes(id)) ?? [];
    await writeBulk(store.client, store.indices.passages, [
      ...passages.map((passage) => {
        const { body, vector, stripVectors } = packPassage(passage);
        const source: StoredPassageDocument = {
          expiresAt,
          passage: { head, body },
          vector: base64(vector),
          stripVectors: base64(stripVectors),
        };
        return { action: { index: { _id: keyOf(head.tenant, body.id) } }, source };
      }),
      ...others.map((id) => ({ action: { update: { _id: keyOf(head.tenant, id) } }, source: { doc: { expiresAt } } })),
    ]);
    const document: StoredPage = { expiresAt, page: { head, text, passageIds: [...others, ...passageIds] } };
    const condition = before === null ? { op_type: 'create' as const } : before.condition;
    try {
      await store.client.index({ index: store.indices.pages, id: key, document, require_alias: true, ...condition });
      return;
    } catch (error) {
      const conflict = error instanceof errors.ResponseError && error.statusCode === 409;
      if (!conflict || attempt === maxAttempts) throw error;
    }
  }
}

/** False when the page was not there, or had expired. */
export async function deletePage(store: Store, tenant: string, id: string): Promise<boolean> {
  const key = keyOf(tenant, id);
  const before = await current(store, key);
  if (before === null) return false;
  await writeBulk(store.client, store.indices.pages, [{ action: { delete: { _id: key } } }]);
  const passages = before.passageIds.map((passageId) => ({ action: { delete: { _id: keyOf(tenant, passageId) } } }));
  await writeBulk(store.client, store.indices.passages, passages);
  return before.expiresAt > new Date().toISOString();
}

async function current({ client, indices }: Store, key: string) {
  const { docs } = await client.mget<StoredPage>({
    index: indices.pages,
    ids: [key],
    _source_includes: ['expiresAt', 'page.passageIds'],
  });
  const [doc] = docs;
  if (doc === undefined) throw statusError(500, 'incomplete_answer');
  if ('error' in doc) throw statusError(500, doc.error.type);
  if (!doc.found || doc._source === undefined) return null;
  const { _seq_no: if_seq_no = 0, _primary_term: if_primary_term = 0 } = doc;
  const { expiresAt, page } = doc._source;
  return { expiresAt, passageIds: page.passageIds, condition: { if_seq_no, if_primary_term } };
}

function base64(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('base64');
}
