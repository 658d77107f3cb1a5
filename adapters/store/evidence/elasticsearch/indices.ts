import { createHash } from 'node:crypto';
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import type { Passage } from '../../../../domain/contracts/document.ts';
import type { PageHead } from '../passage-codec.ts';

/** What evidence is kept in; each an alias. */
export interface Indices {
  pages: string;
  passages: string;
}

/** Times as Elasticsearch's `strict_date_time`, so that the sweep can ask for them; nothing else is searched. */
export interface StoredPage {
  expiresAt: string;
  page: { head: PageHead; text: string; passageIds: string[] };
}

/** Vectors in base64. */
export interface StoredPassageDocument {
  expiresAt: string;
  passage: { head: PageHead; body: Passage };
  vector: string | null;
  stripVectors: string | null;
}

/** Raised with every change of a mapping. Evidence of the one before is left to expire: it only lives for some days. */
const schemaVersion = 1;

const opaque = { type: 'object', enabled: false } as const;
const expiresAt = { type: 'date', format: 'strict_date_time' } as const;
const mappings: Record<keyof Indices, estypes.MappingTypeMapping> = {
  pages: { dynamic: 'strict', properties: { expiresAt, page: opaque } },
  passages: {
    dynamic: 'strict',
    properties: { expiresAt, passage: opaque, vector: { type: 'binary' }, stripVectors: { type: 'binary' } },
  },
};

/** Makes what is not there. Several processes may do this at once. */
export async function prepareIndices(client: Client, prefix: string): Promise<Indices> {
  const indices = { pages: `${prefix}-evidence-pages`, passages: `${prefix}-evidence-passages` };
  for (const name of ['pages', 'passages'] as const) {
    const alias = indices[name];
    const index = `${alias}-v${schemaVersion}`;
    if (await client.indices.exists({ index })) continue;
    const settings = { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '1s' };
    try {
      await client.indices.create({ index, aliases: { [alias]: {} }, settings, mappings: mappings[name] });
    } catch (error) {
      if (
        !(error instanceof errors.ResponseError) ||
        error.statusCode !== 400 ||
        !(await client.indices.exists({ index }))
      )
        throw error;
    }
  }
  return indices;
}

/** Ids of stored things are hashes: a tenant's name or a passage's id may hold any character. */
export function keyOf(tenant: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, id]))
    .digest('base64url');
}
