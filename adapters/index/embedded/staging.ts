import { setImmediate } from 'node:timers/promises';
import type { EmbeddedPassage, VersionKey } from '../port.ts';
import { packVectors } from '../strip-vectors.ts';
import { checkVector } from '../unit-vector.ts';
import type { Database } from './database.ts';
import { findVersion, notStaged } from './find-version.ts';
import type { FoundVersion } from './find-version.ts';
import { fullTextColumns } from './full-text.ts';
import { fullTextTable } from './schema.ts';
import { vectorBytes } from './vectors.ts';

/** Passages written in one transaction, so that neither other processes nor this event loop wait long. */
const batchSize = 128;

export function missingPassages(database: Database, key: VersionKey, ids: string[]): string[] {
  const found = findVersion(database, key);
  if (!found) return ids;
  const stored = database.all(
    'SELECT passage_id FROM passages WHERE version_id = ? AND passage_id IN (SELECT value FROM json_each(?))',
    found.id,
    JSON.stringify(ids),
  );
  const present = new Set(stored.map((row) => String(row.passage_id)));
  return ids.filter((id) => !present.has(id));
}

export async function stagePassages(database: Database, key: VersionKey, passages: EmbeddedPassage[]): Promise<void> {
  for (const passage of passages) {
    for (const vector of passage.stripVectors) checkVector(vector, database.dimensions);
  }
  for (let start = 0; start < passages.length; start += batchSize) {
    if (start > 0) await setImmediate();
    database.write(() => {
      const version = findVersion(database, key);
      if (version?.state !== 'staged') throw notStaged();
      for (const passage of passages.slice(start, start + batchSize)) writePassage(database, version, passage);
    });
  }
}

function writePassage(
  database: Database,
  version: FoundVersion,
  { vector, stripVectors, ...body }: EmbeddedPassage,
): void {
  const table = fullTextTable(version.tenant);
  const present = database.get('SELECT id FROM passages WHERE version_id = ? AND passage_id = ?', version.id, body.id);
  if (present) {
    database.run(`DELETE FROM ${table} WHERE rowid = ?`, Number(present.id));
    database.run('DELETE FROM vectors WHERE rowid = ?', BigInt(Number(present.id)));
  }
  const id = present
    ? BigInt(Number(present.id))
    : database.insert('INSERT INTO passages (version_id, passage_id) VALUES (?, ?)', version.id, body.id);
  const columns = fullTextColumns(body.text, body.context);
  database.run(
    `INSERT INTO ${table} (rowid, body, context, codes, grams) VALUES (?, ?, ?, ?, ?)`,
    id,
    columns.body,
    columns.context,
    columns.codes,
    columns.grams,
  );
  database.run(
    'INSERT INTO vectors (rowid, tenant_id, vector) VALUES (?, ?, ?)',
    id,
    BigInt(version.tenant),
    vectorBytes(vector, database.dimensions),
  );
  database.run(
    'INSERT OR REPLACE INTO passage_bodies VALUES (?, ?, ?)',
    id,
    JSON.stringify(body),
    packVectors(stripVectors, database.dimensions),
  );
}
