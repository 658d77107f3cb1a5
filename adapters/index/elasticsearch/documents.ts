import type { estypes } from '@elastic/elasticsearch';
import type { Access } from '../../../domain/contracts/access.ts';
import { foldText } from '../../../domain/text/normalise.ts';
import { IndexError } from '../port.ts';
import type { DocumentFilter, StoredDocument } from '../port.ts';
import { mayRead, readableBy } from './filters.ts';
import { changeEntry, readEntry } from './registry.ts';
import type { DocumentId, Entry, RegisteredVersion } from './entry.ts';
import type { Query } from './query.ts';
import type { Store } from './store.ts';
import { sweep } from './sweep.ts';
import { readText } from './texts.ts';

const pageSize = 500;
const maxAttempts = 5;

export async function document(store: Store, access: Access, documentId: string): Promise<StoredDocument | null> {
  const live = await readable(store, access, documentId);
  return live && toDocument(documentId, live);
}

/** The text is apart from the entry: a version published between the two reads is read again. */
export async function documentText(store: Store, access: Access, documentId: string): Promise<string | null> {
  let missing: string | null = null;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const live = await readable(store, access, documentId);
    if (!live) return null;
    const text = await readText(store, { tenant: access.tenant, documentId, version: live.version });
    if (text !== null) return text;
    if (missing === live.version) break;
    missing = live.version;
  }
  throw new IndexError('corrupt', 'Elasticsearch: the text of a document is missing; ingest it again', {
    retryable: false,
  });
}

async function readable(store: Store, access: Access, documentId: string): Promise<RegisteredVersion | null> {
  const found = await readEntry(store, { tenant: access.tenant, documentId });
  const live = found?.entry.live ?? null;
  return live && mayRead(access, live.metadata) ? live : null;
}

export async function listDocuments(store: Store, access: Access, filter: DocumentFilter): Promise<StoredDocument[]> {
  await store.client.indices.refresh({ index: store.alias.documents });
  const listed: StoredDocument[] = [];
  let after = filter.after;
  while (listed.length < filter.limit) {
    const size = Math.min(pageSize, filter.limit - listed.length);
    const { hits } = await store.client.search<{ entry: Entry }>({
      index: store.alias.documents,
      query: { bool: { filter: listFilter(access, { ...filter, after }) } },
      sort: [{ documentId: 'asc' }],
      size,
      track_total_hits: false,
      allow_partial_search_results: false,
      _source: ['entry'],
    });
    const page = hits.hits.flatMap(({ _source }) =>
      _source?.entry.live ? [toDocument(_source.entry.documentId, _source.entry.live)] : [],
    );
    listed.push(...page);
    after = page.at(-1)?.documentId;
    if (page.length < size) break;
  }
  return listed;
}

function listFilter(
  access: Access,
  { status, tag, search, after }: Omit<DocumentFilter, 'after'> & { after: string | undefined },
): Query[] {
  return [
    { term: { live: true } },
    ...readableBy(access),
    ...(status === undefined ? [] : [{ term: { status } }]),
    ...(tag === undefined ? [] : [{ term: { tags: tag } }]),
    ...(search === undefined || search === '' ? [] : [{ wildcard: { search: { value: `*${literal(search)}*` } } }]),
    ...(after === undefined ? [] : [{ range: { documentId: { gt: after } } }]),
  ];
}

/** Without the meaning that * ? and \ have in a wildcard query. */
function literal(text: string): string {
  return foldText(text).replace(/[*?\\]/g, '\\$&');
}

/** Gone for readers in one step; a version that is being ingested goes too. */
export async function deleteDocument(store: Store, id: DocumentId): Promise<boolean> {
  const before = await changeEntry(store, id, (entry) => {
    if (!entry) return null;
    const versions = [...(entry.live ? [entry.live] : []), ...entry.staged].map(({ version }) => version);
    if (versions.length === 0) return null;
    return { ...entry, live: null, staged: [], retired: [...new Set([...entry.retired, ...versions])] };
  });
  if (before) await sweep(store, id);
  return before !== null && before.live !== null;
}

export async function counts(store: Store, access: Access): Promise<{ documents: number; passages: number }> {
  await store.client.indices.refresh({ index: store.alias.documents });
  const { hits, aggregations } = await store.client.search<unknown, { passages: estypes.AggregationsSumAggregate }>({
    index: store.alias.documents,
    query: { bool: { filter: [{ term: { live: true } }, ...readableBy(access)] } },
    size: 0,
    track_total_hits: true,
    allow_partial_search_results: false,
    aggs: { passages: { sum: { field: 'passages' } } },
  });
  const documents = typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0);
  return { documents, passages: aggregations?.passages.value ?? 0 };
}

function toDocument(documentId: string, live: RegisteredVersion): StoredDocument {
  return { documentId, ...live };
}
