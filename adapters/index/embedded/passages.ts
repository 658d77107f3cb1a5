import type { Access } from '../../../domain/contracts/access.ts';
import type { DocumentMetadata, Passage } from '../../../domain/contracts/document.ts';
import { IndexError } from '../port.ts';
import type { ComparedPassage, StoredPassage } from '../port.ts';
import { comparedPassage } from '../compared-passage.ts';
import { unpackVectors } from '../strip-vectors.ts';
import { checkVector } from '../unit-vector.ts';
import type { Database, Row } from './database.ts';
import { readableBy } from './readable.ts';
import { vectorFromBytes } from './vectors.ts';

/** In the order of `ids`, without those that the asker may not read. */
export function passages(
  database: Database,
  access: Access,
  { ids, vectors }: { ids: string[]; vectors: boolean },
): StoredPassage[] {
  const readable = readableBy(access);
  return database.read(() => {
    const rows = database.all(
      // CROSS JOIN keeps this order of loops: from the ids asked for, not from all documents of the tenant.
      `SELECT p.id, p.passage_id, b.body, v.metadata${vectors ? ', b.strip_vectors' : ''}
       FROM json_each(?) wanted CROSS JOIN passages p ON p.passage_id = wanted.value
       CROSS JOIN versions v ON v.id = p.version_id CROSS JOIN passage_bodies b ON b.id = p.id
       WHERE ${readable.sql}`,
      JSON.stringify([...new Set(ids)]),
      ...readable.values,
    );
    const found = new Map(rows.map((row) => [String(row.passage_id), toPassage(database, row, vectors)]));
    return ids.flatMap((id) => found.get(id) ?? []);
  });
}

export function compare(
  database: Database,
  access: Access,
  { ids, question }: { ids: string[]; question: Float32Array },
): ComparedPassage[] {
  checkVector(question, database.dimensions);
  const readable = readableBy(access);
  return database.read(() =>
    database
      .all(
        `SELECT p.id, p.passage_id, b.strip_vectors
         FROM json_each(?) wanted CROSS JOIN passages p ON p.passage_id = wanted.value
         CROSS JOIN versions v ON v.id = p.version_id CROSS JOIN passage_bodies b ON b.id = p.id
         WHERE ${readable.sql}`,
        JSON.stringify([...new Set(ids)]),
        ...readable.values,
      )
      .map((row) => {
        const vectors = { vector: vectorOf(database, row), packed: bytesOf(row.strip_vectors) };
        return comparedPassage(String(row.passage_id), vectors, question);
      }),
  );
}

function toPassage(database: Database, row: Row, withVectors: boolean): StoredPassage {
  const passage = JSON.parse(String(row.body)) as Passage;
  const metadata = JSON.parse(String(row.metadata)) as DocumentMetadata;
  return {
    ...passage,
    title: metadata.title,
    uri: metadata.uri,
    metadata,
    // One by one: vec0 answers `rowid = ?` from its row map, but reads every chunk for `rowid IN (…)`.
    vector: withVectors ? vectorOf(database, row) : null,
    stripVectors: withVectors ? unpackVectors(bytesOf(row.strip_vectors), database.dimensions) : null,
  };
}

function vectorOf(database: Database, row: Row): Float32Array {
  return vectorFromBytes(
    bytesOf(database.get('SELECT vector FROM vectors WHERE rowid = ?', BigInt(Number(row.id)))?.vector),
  );
}

function bytesOf(value: Row[string] | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new IndexError('corrupt', 'a stored vector is missing: restore the index file, or remove it and ingest again', {
    retryable: false,
  });
}
