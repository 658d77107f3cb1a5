import { IndexError } from '../port.ts';
import { firstEmbeddingModel, otherOrigin } from '../vector-origin.ts';
import { hasType } from './elasticsearch-errors.ts';
import { describeIndex, indexPattern, numberedIndex } from './physical-index.ts';
import type { PhysicalIndex } from './physical-index.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { indexDefinitions, indexNames, schemaMark, schemaVersion } from './schema.ts';
import type { IndexDefinition, IndexName, SchemaMark } from './schema.ts';
import type { Store } from './store.ts';

/** How long a rebuilding process may be silent before another takes over, in milliseconds. */
export interface RebuildOptions {
  leaseMs: number;
}

/**
 * Makes the indices that are not there, each behind its alias, and builds those anew whose mapping or analysis is not the present one.
 * Several processes may do this at once.
 * @throws IndexError `mapping` for vectors of another model or length or a newer schema; `corrupt` for an index that is not Plumbline's
 */
export async function prepareIndices(store: Store, options: RebuildOptions): Promise<void> {
  const definitions = indexDefinitions(store.dimensions);
  // Locks first, since the others may need one. A lock is all that they hold: they are never built anew.
  await present(store, 'locks', definitions.locks);
  const others = indexNames.filter((name) => name !== 'locks');
  await Promise.all(others.map((name) => prepareIndex(store, name, { definition: definitions[name], ...options })));
}

async function prepareIndex(
  store: Store,
  name: IndexName,
  { definition, leaseMs }: { definition: IndexDefinition } & RebuildOptions,
): Promise<void> {
  const mark = schemaMark(definition, store);
  const { mark: found, blocked } = await present(store, name, definition);
  if (found.hash === mark.hash && !blocked) return;
  const template = () => putTemplate(store, name, { definition, mark });
  await rebuildIndex(store, name, { hash: mark.hash, leaseMs, putTemplate: template });
}

async function present(store: Store, name: IndexName, definition: IndexDefinition): Promise<PhysicalIndex> {
  const mark = schemaMark(definition, store);
  const index = (await describeIndex(store, name)) ?? (await create(store, name, { definition, mark }));
  check(store, index);
  return index;
}

function check(store: Store, { index, mark }: PhysicalIndex): void {
  if (mark.schema > schemaVersion) {
    throw mismatch(`${index} has schema ${mark.schema}, newer than ${schemaVersion}; update Plumbline`);
  }
  const why = otherOrigin({ model: firstEmbeddingModel, ...mark }, store);
  if (why !== null) throw mismatch(`${index} ${why} (ELASTICSEARCH_INDEX_PREFIX)`);
}

async function create(
  store: Store,
  name: IndexName,
  made: { definition: IndexDefinition; mark: SchemaMark },
): Promise<PhysicalIndex> {
  await putTemplate(store, name, made);
  try {
    const index = numberedIndex(store.alias[name], 1);
    await store.patient.indices.create({ index, aliases: { [store.alias[name]]: {} } });
  } catch (error) {
    // Another process was first; index and alias come into being together.
    if (!hasType(error, 'resource_already_exists_exception')) throw error;
  }
  const present = await describeIndex(store, name);
  if (present) return present;
  throw new IndexError('unavailable', `Elasticsearch: ${store.alias[name]} was removed while it was made`, {
    retryable: true,
  });
}

/** By template, so that mapping and settings hold for every index of that pattern, whoever makes it. */
async function putTemplate(
  store: Store,
  name: IndexName,
  { definition, mark }: { definition: IndexDefinition; mark: SchemaMark },
): Promise<void> {
  const alias = store.alias[name];
  await store.patient.indices.putIndexTemplate({
    name: `${alias}-v${schemaVersion}`,
    index_patterns: [indexPattern(alias)],
    priority: 500,
    template: {
      settings: definition.settings,
      mappings: { ...definition.mappings, _meta: { plumbline: mark } },
    },
  });
}

function mismatch(message: string): IndexError {
  return new IndexError('mapping', `Elasticsearch: ${message}`, { retryable: false });
}
