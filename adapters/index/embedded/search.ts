import type { Access } from '../../../domain/contracts/access.ts';
import { IndexError } from '../port.ts';
import type { Hit, SearchHits, SearchQuery } from '../port.ts';
import type { Database, Row } from './database.ts';
import { matchExpression } from './match-expression.ts';
import { searchableBy } from './readable.ts';
import type { Condition } from './readable.ts';
import { fullTextTable } from './schema.ts';
import { tenantId } from './tenants.ts';
import { vectorBytes } from './vectors.ts';

/** Most that sqlite-vec 0.1.9 gives for one question. */
const maxCandidates = 4096;

/**
 * Weights of body, context, codes and grams in FTS5's bm25() (k1 = 1.2, b = 0.75, both fixed). A word in the title or heading says
 * more than one in the text, a code more than a word; bigrams repeat what the segmented words say. By measurement: SciFact and
 * Cranfield move by less than 0.005 nDCG@10 between 1 and 2 for context and codes.
 */
const columnWeights = '1.0, 2.0, 2.0, 0.5';

/** Words counted this far only when a long question is cut: what is more frequent tells little anyway. */
const frequencyCap = 2000;

interface Scope {
  tenant: number;
  searchable: Condition;
}

/** Both legs on one state of the file, so that two versions of a document never meet in one result. */
export function search(database: Database, access: Access, query: SearchQuery): SearchHits {
  if (!(query.candidates >= 1 && query.candidates <= maxCandidates)) {
    throw new IndexError('rejected', `a leg gives 1 to ${maxCandidates} candidates, not ${query.candidates}`, {
      retryable: false,
    });
  }
  return database.read(() => {
    const tenant = tenantId(database, access.tenant);
    if (tenant === null) return { bm25: [], knn: [] };
    const scope = { tenant, searchable: searchableBy(access, query) };
    return { bm25: bm25Leg(database, scope, query), knn: knnLeg(database, scope, query) };
  });
}

function bm25Leg(database: Database, { tenant, searchable }: Scope, query: SearchQuery): Hit[] {
  const table = fullTextTable(tenant);
  const expression = matchExpression(query.text, query.identifiers, (word) =>
    Number(
      database.get(
        `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ${frequencyCap})`,
        word,
      )?.n,
    ),
  );
  if (expression === null) return [];
  return database
    .all(
      // CROSS JOIN keeps this order of loops: left to itself, SQLite visits every passage of the tenant.
      `SELECT best.passage_id, v.document_id, best.score
       FROM (SELECT p.passage_id, p.version_id, -bm25(${table}, ${columnWeights}) AS score
         FROM ${table} CROSS JOIN passages p ON p.id = ${table}.rowid
         WHERE ${table} MATCH ? AND p.version_id IN (SELECT v.id FROM versions v WHERE ${searchable.sql})
         ORDER BY score DESC, p.passage_id LIMIT ?) AS best
       CROSS JOIN versions v ON v.id = best.version_id
       ORDER BY best.score DESC, best.passage_id`,
      expression,
      ...searchable.values,
      query.candidates,
    )
    .map(toHit);
}

/**
 * Exact: every readable vector of the tenant is compared. The filter is a set of rowids, which vec0 searches by bisection; it compares
 * a metadata column with each value of a set in turn (25,000 documents: 120 ms instead of 26).
 */
function knnLeg(database: Database, { tenant, searchable }: Scope, query: SearchQuery): Hit[] {
  if (query.vector === null) return [];
  return database
    .all(
      `SELECT p.passage_id, v.document_id, 1 - nearest.distance AS score
       FROM (SELECT rowid, distance FROM vectors
         WHERE tenant_id = ? AND vector MATCH ? AND k = ?
           AND rowid IN (SELECT id FROM passages
             WHERE version_id IN (SELECT v.id FROM versions v WHERE ${searchable.sql}))) AS nearest
       CROSS JOIN passages p ON p.id = nearest.rowid CROSS JOIN versions v ON v.id = p.version_id
       ORDER BY score DESC, p.passage_id`,
      BigInt(tenant),
      vectorBytes(query.vector, database.dimensions),
      BigInt(query.candidates),
      ...searchable.values,
    )
    .map(toHit);
}

function toHit(row: Row): Hit {
  return { passageId: String(row.passage_id), documentId: String(row.document_id), score: Number(row.score) };
}
