import { IndexError } from '../port.ts';
import { schemaVersion } from './schema.ts';
import type { IndexName, SchemaMark } from './schema.ts';
import type { Store } from './store.ts';

/** The index that an alias stands for. */
export interface PhysicalIndex {
  index: string;
  mark: SchemaMark;
  /** Whether it refuses writes, since it is being built anew or was when that was cut short. */
  blocked: boolean;
}

/** `plumbline-passages-v1-000001`. */
export function numberedIndex(alias: string, number: number): string {
  return `${alias}-v${schemaVersion}-${String(number).padStart(6, '0')}`;
}

export function indexPattern(alias: string): string {
  return `${alias}-v${schemaVersion}-*`;
}

export function numberOf(index: string): number {
  return Number(index.slice(index.lastIndexOf('-') + 1));
}

/** Null when the alias is not there. */
export async function describeIndex(store: Store, name: IndexName): Promise<PhysicalIndex | null> {
  const alias = store.alias[name];
  const found = await store.patient.indices.get({ index: alias, ignore_unavailable: true, flat_settings: true });
  const [index, second] = Object.keys(found);
  if (index === undefined) return null;
  const mark: unknown = found[index]?.mappings?._meta?.plumbline;
  if (second !== undefined || index === alias || !isMark(mark)) {
    throw new IndexError('corrupt', `Elasticsearch: ${alias} is not an index of Plumbline; choose another prefix`, {
      retryable: false,
    });
  }
  const settings: Record<string, unknown> = { ...found[index]?.settings };
  return { index, mark, blocked: String(settings['index.blocks.write']) === 'true' };
}

function isMark(value: unknown): value is SchemaMark {
  if (typeof value !== 'object' || value === null) return false;
  return 'schema' in value && 'hash' in value && 'dimensions' in value;
}
