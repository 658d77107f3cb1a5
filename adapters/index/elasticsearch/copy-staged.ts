import type { estypes } from '@elastic/elasticsearch';
import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import type { VersionKey } from '../port.ts';
import { writeBulk } from './bulk.ts';
import type { BulkOperation } from './bulk.ts';
import { passageKey, versionKey } from './keys.ts';
import { passageSource } from './passage-source.ts';
import type { StagedSource } from './passage-source.ts';
import { toRemain } from './remains.ts';
import type { Remain } from './remains.ts';
import { scan } from './scan.ts';
import type { Store } from './store.ts';

/** Indexes a staged version's passages with this metadata, and has them found. Repeatable. Gives the staged ones. */
export async function copyStaged(store: Store, key: VersionKey, metadata: DocumentMetadata): Promise<Remain[]> {
  const index = store.alias.staging;
  await store.patient.indices.refresh({ index });
  const copied: Remain[] = [];
  const version = versionKey(key);
  const query = { term: { versionKey: version } };
  for await (const page of scan<StagedSource>(store, { index, query, withSource: true })) {
    await writeBulk(store, { alias: store.alias.passages }, operations(key, metadata, page));
    copied.push(...page.map((hit) => toRemain(hit, version)));
  }
  await store.patient.indices.refresh({ index: store.alias.passages });
  return copied;
}

function* operations(
  key: VersionKey,
  metadata: DocumentMetadata,
  page: estypes.SearchHit<StagedSource>[],
): Generator<BulkOperation> {
  for (const { _source } of page) {
    if (!_source) continue;
    yield {
      action: { index: { _id: passageKey(key, _source.row.passage.id), routing: key.tenant } },
      source: passageSource(key, _source.row, metadata),
    };
  }
}
