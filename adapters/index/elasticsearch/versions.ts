import { IndexError } from '../port.ts';
import type { DocumentVersion, VersionKey } from '../port.ts';
import { copyStaged } from './copy-staged.ts';
import { changeEntry, notStaged, readEntry, replaceEntry } from './registry.ts';
import type { Entry, RegisteredVersion } from './entry.ts';
import type { ReadEntry } from './registry.ts';
import { remove } from './remains.ts';
import type { Store } from './store.ts';
import { sweep } from './sweep.ts';
import { hasText, writeText } from './texts.ts';

const maxAttempts = 8;

export async function liveVersion(store: Store, tenant: string, documentId: string): Promise<string | null> {
  const found = await readEntry(store, { tenant, documentId });
  return found?.entry.live?.version ?? null;
}

/** The entry before the text: a sweep that runs meanwhile spares the text of a version that the entry names. */
export async function beginVersion(store: Store, version: DocumentVersion): Promise<void> {
  let isLive = false;
  let isRetired = true;
  while (isRetired) {
    await changeEntry(store, version, (entry) => {
      isLive = entry?.live?.version === version.version;
      isRetired = entry?.retired.includes(version.version) ?? false;
      return isLive || isRetired ? null : withStaged(entry ?? empty(version), version);
    });
    // Remains of the same version must be gone before it is begun again.
    if (isRetired) await sweep(store, version);
  }
  if (!isLive) await writeText(store, version);
}

/**
 * Passages go into the searched index while the old version is live: a search drops what is not the registry's live version. The one
 * conditional write of the entry is the moment of publication; then the old version and the staged passages are removed. A crash at
 * any point is repaired by publishing again.
 */
export async function publishVersion(store: Store, key: VersionKey): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const present = await readEntry(store, key);
    if (present?.entry.live?.version === key.version) return sweep(store, key, [key.version]);
    if (await publish(store, key, present)) return;
  }
  throw new IndexError('locked', 'Elasticsearch: other processes keep changing this document', { retryable: true });
}

/** False when the entry has changed meanwhile. */
async function publish(store: Store, key: VersionKey, present: ReadEntry | null): Promise<boolean> {
  const version = present?.entry.staged.find((staged) => staged.version === key.version);
  if (!present || !version || !(await hasText(store, key))) {
    await sweep(store, key, [key.version]);
    throw notStaged();
  }
  const copied = await copyStaged(store, key, version.metadata);
  const { live, staged, retired } = present.entry;
  const next: Entry = {
    ...present.entry,
    live: { ...version, passages: copied.length },
    publishedAt: Date.now(),
    staged: staged.filter((other) => other !== version),
    retired: live ? [...new Set([...retired, live.version])] : retired,
  };
  if (!(await replaceEntry(store, next, present))) return false;
  await remove(store, { alias: store.alias.staging }, copied);
  if (next.retired.length > 0) await sweep(store, key);
  return true;
}

export async function discardVersion(store: Store, key: VersionKey): Promise<void> {
  const before = await changeEntry(store, key, (entry) => {
    if (!entry?.staged.some(({ version }) => version === key.version)) return null;
    return {
      ...entry,
      staged: entry.staged.filter(({ version }) => version !== key.version),
      retired: [...new Set([...entry.retired, key.version])],
    };
  });
  if (before) await sweep(store, key);
}

function empty({ tenant, documentId }: VersionKey): Entry {
  return { tenant, documentId, live: null, publishedAt: 0, staged: [], retired: [] };
}

function withStaged(entry: Entry, begun: DocumentVersion): Entry {
  const { version, format, metadata, contentHash, bytes, pages, pagesWithoutText, warnings, ingestedAt } = begun;
  const staged: RegisteredVersion = {
    version,
    format,
    metadata,
    contentHash,
    bytes,
    pages,
    ...(pagesWithoutText ? { pagesWithoutText } : {}),
    passages: 0,
    warnings,
    ingestedAt,
  };
  return { ...entry, staged: [...entry.staged.filter((other) => other.version !== version), staged] };
}
