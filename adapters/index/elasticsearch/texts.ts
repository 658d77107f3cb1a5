import type { DocumentVersion, VersionKey } from '../port.ts';
import { toItemError } from './elasticsearch-errors.ts';
import { versionKey } from './keys.ts';
import type { Store } from './store.ts';

interface TextSource {
  text: { whole: string };
}

/** @throws IndexError `too_large` for a text over the server's `http.max_content_length`, 100 MB unless it is set */
export async function writeText(store: Store, version: DocumentVersion): Promise<void> {
  const document: TextSource = { text: { whole: version.text } };
  await store.patient.index({ index: store.alias.texts, id: versionKey(version), document, require_alias: true });
}

export async function hasText(store: Store, key: VersionKey): Promise<boolean> {
  return (await get(store, key, false)).found;
}

export async function readText(store: Store, key: VersionKey): Promise<string | null> {
  return (await get(store, key, true))._source?.text.whole ?? null;
}

async function get(store: Store, key: VersionKey, withText: boolean) {
  const { docs } = await store.patient.mget<TextSource>({
    index: store.alias.texts,
    ids: [versionKey(key)],
    _source: withText,
  });
  const [doc] = docs;
  if (doc === undefined) throw toItemError(500, 'incomplete_answer');
  if ('error' in doc) throw toItemError(500, doc.error.type);
  return doc;
}
