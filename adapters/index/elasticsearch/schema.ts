import { createHash } from 'node:crypto';
import type { estypes } from '@elastic/elasticsearch';
import type { VectorOrigin } from '../vector-origin.ts';

export const indexNames = ['passages', 'documents', 'texts', 'staging', 'locks'] as const;
export type IndexName = (typeof indexNames)[number];

export interface IndexDefinition {
  settings: estypes.IndicesIndexSettings;
  mappings: estypes.MappingTypeMapping;
}

/** What an index says of itself in its mapping's `_meta`. */
export interface SchemaMark {
  schema: number;
  /** Of settings and mapping: another hash means that the index must be built anew. */
  hash: string;
  dimensions: number;
  /** Whose vectors it holds; missing in indices older than the choice of models. */
  model?: string;
}

/** Raised with every change of a mapping or an analyser, so that an older Plumbline refuses an index that it does not understand. */
export const schemaVersion = 1;

/**
 * - `passages`: of live versions (and of one that is just being published), for search.
 * - `documents`: the registry, one entry a document; says which version is live. Small, and always read in real time.
 * - `texts`: whole texts of versions.
 * - `staging`: passages of versions that are being ingested; stored, not indexed.
 * - `locks`: who is re-indexing.
 */
export function indexDefinitions(dimensions: number): Record<IndexName, IndexDefinition> {
  return {
    passages: { settings: { ...shared, ...analysis, refresh_interval: '1s' }, mappings: passageMappings(dimensions) },
    documents: { settings: { ...shared, refresh_interval: '1s' }, mappings: documentMappings },
    texts: { settings: shared, mappings: { dynamic: 'strict', properties: { text: opaque } } },
    staging: {
      settings: shared,
      mappings: { dynamic: 'strict', properties: { documentKey: keyword, versionKey: keyword, row: opaque } },
    },
    locks: { settings: shared, mappings: { dynamic: 'strict', properties: { owner: keyword, renewals: opaque } } },
  };
}

export function schemaMark(definition: IndexDefinition, { model, dimensions }: VectorOrigin): SchemaMark {
  const hash = createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 16);
  return { schema: schemaVersion, hash, dimensions, model };
}

const keyword = { type: 'keyword' } as const;
/** Kept as it is and never indexed. */
const opaque = { type: 'object', enabled: false } as const;

/** One shard holds some ten million passages; a tenant's passages are routed to one shard whatever their number. */
const shared: estypes.IndicesIndexSettings = { number_of_shards: 1, auto_expand_replicas: '0-1' };

const analysis: estypes.IndicesIndexSettings = {
  analysis: {
    filter: { english_stems: { type: 'stemmer', language: 'english' } },
    analyzer: {
      // For what `domain/text/words.ts` has cut: folded words parted by spaces, possessives gone, unspaced scripts segmented.
      english_words: {
        type: 'custom',
        tokenizer: 'whitespace',
        filter: ['lowercase', 'asciifolding', 'english_stems'],
      },
      // Stop words stay in the index: a question of nothing else is searched by them. Questions leave them out otherwise.
      neutral: {
        type: 'custom',
        tokenizer: 'standard',
        filter: ['cjk_width', 'lowercase', 'asciifolding', 'cjk_bigram'],
      },
    },
  },
  // Lucene's defaults, written down: term saturation and length normalisation, the same as SQLite's FTS5 has.
  similarity: { default: { type: 'BM25', k1: 1.2, b: 0.75 } },
};

/** What every filter of a search asks for. `readers`: the groups, or one empty name when the whole tenant may read. */
const filterProperties = {
  tenant: keyword,
  documentId: keyword,
  readers: keyword,
  status: keyword,
  tags: keyword,
  effectiveFrom: { type: 'date', format: 'strict_date' },
  effectiveTo: { type: 'date', format: 'strict_date' },
} as const;

function passageMappings(dimensions: number): estypes.MappingTypeMapping {
  return {
    dynamic: 'strict',
    _routing: { required: true },
    properties: {
      ...filterProperties,
      passageId: keyword,
      documentKey: keyword,
      versionKey: keyword,
      body: { type: 'text', analyzer: 'english_words' },
      context: { type: 'text', analyzer: 'english_words' },
      neutral: { type: 'text', analyzer: 'neutral' },
      // Longer runs are data, not names; Lucene refuses terms over 32,766 bytes.
      codes: { type: 'keyword', ignore_above: 256 },
      embedding: {
        type: 'dense_vector',
        dims: dimensions,
        index: true,
        similarity: 'cosine',
        // 16 neighbours and 100 candidates are Lucene's own balance of recall and time to build; int8 takes a quarter of the memory.
        // Quantised over the full range of values, because clipped components would shift scores.
        index_options: { type: 'int8_hnsw', m: 16, ef_construction: 100, confidence_interval: 1 },
      },
      stored: opaque,
      vector: { type: 'binary' },
      stripVectors: { type: 'binary' },
    },
  };
}

const documentMappings: estypes.MappingTypeMapping = {
  dynamic: 'strict',
  properties: {
    ...filterProperties,
    live: { type: 'boolean' },
    passages: { type: 'integer' },
    search: keyword,
    entry: opaque,
  },
};
