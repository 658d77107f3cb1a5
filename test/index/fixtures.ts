import type { Access } from '../../domain/contracts/access.ts';
import type { DocumentMetadata } from '../../domain/contracts/document.ts';
import type { EmbeddedPassage, IndexPort, SearchQuery, VersionKey } from '../../adapters/index/port.ts';

export const dimensions = 384;

/** A bag of hashed words as a unit vector: texts with the same words are near, and it needs no model. */
export function fakeVector(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    let hash = 2166136261;
    for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
    const slot = (hash >>> 1) % dimensions;
    vector[slot] = (vector[slot] ?? 0) + (hash & 1 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  if (length === 0) return fakeVector(`${text} .x`);
  return vector.map((value) => value / length);
}

export function metadata(overrides: Partial<DocumentMetadata> = {}): DocumentMetadata {
  return {
    title: 'Untitled',
    uri: 'file:untitled.md',
    language: 'en',
    status: 'active',
    authority: 50,
    effectiveFrom: null,
    effectiveTo: null,
    supersedes: null,
    groups: [],
    tags: [],
    ...overrides,
  };
}

export function access(tenant: string, ...groups: string[]): Access {
  return { tenant, user: 'ada', groups };
}

export function query(text: string, overrides: Partial<SearchQuery> = {}): SearchQuery {
  return {
    text,
    identifiers: [],
    vector: fakeVector(text),
    candidates: 20,
    statuses: ['active'],
    asOf: '2026-06-15',
    ...overrides,
  };
}

export interface Source {
  tenant: string;
  documentId: string;
  texts: string[];
  version?: string;
  metadata?: Partial<DocumentMetadata>;
  pagesWithoutText?: number[];
}

export function keyOf({ tenant, documentId, version = 'v1' }: Source): VersionKey {
  return { tenant, documentId, version };
}

/** One passage a text, ids `document@version#n`, each with one strip over its whole length. */
export function passagesOf({ documentId, version = 'v1', texts, ...source }: Source): EmbeddedPassage[] {
  let start = 0;
  return texts.map((text, ordinal) => {
    const passage: EmbeddedPassage = {
      id: `${documentId}@${version}#${ordinal}`,
      documentId,
      version,
      ordinal,
      start,
      end: start + text.length,
      text,
      context: source.metadata?.title ?? '',
      section: 'Section',
      page: null,
      strips: [{ start, end: start + text.length, kind: 'sentence', header: null }],
      vector: fakeVector(text),
      stripVectors: [fakeVector(text)],
    };
    start += text.length + 1;
    return passage;
  });
}

export async function begin(index: IndexPort, source: Source): Promise<VersionKey> {
  await index.beginVersion({
    ...keyOf(source),
    format: 'text',
    metadata: metadata({ title: source.documentId, ...source.metadata }),
    text: source.texts.join('\n'),
    contentHash: `hash of ${source.version ?? 'v1'}`,
    bytes: source.texts.join('\n').length,
    pages: null,
    ...(source.pagesWithoutText ? { pagesWithoutText: source.pagesWithoutText } : {}),
    warnings: [],
    ingestedAt: '2026-06-01T00:00:00.000Z',
  });
  return keyOf(source);
}

/** Takes a document in whole, as ingestion does. */
export async function ingest(index: IndexPort, source: Source): Promise<VersionKey> {
  const key = await begin(index, source);
  await index.stagePassages(key, passagesOf(source));
  await index.publishVersion(key);
  return key;
}
