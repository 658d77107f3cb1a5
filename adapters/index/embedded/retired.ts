import { setImmediate } from 'node:timers/promises';
import type { Database } from './database.ts';
import { fullTextTable } from './schema.ts';

const batchSize = 256;

/**
 * Removes what retired versions of a tenant left, in small transactions: nobody sees them any more. What a crash leaves behind is
 * removed by the next call.
 */
export async function removeRetired(database: Database, tenant: number): Promise<void> {
  for (let version = anyRetired(database, tenant); version !== null; version = anyRetired(database, tenant)) {
    const id = version;
    database.write(() => removeBatch(database, tenant, id));
    await setImmediate();
  }
}

function anyRetired(database: Database, tenant: number): number | null {
  const row = database.get(`SELECT id FROM versions WHERE tenant_id = ? AND state = 'retired' LIMIT 1`, tenant);
  return row ? Number(row.id) : null;
}

function removeBatch(database: Database, tenant: number, version: number): void {
  const passages = database.all('SELECT id FROM passages WHERE version_id = ? LIMIT ?', version, batchSize);
  for (const passage of passages) {
    const rowid = BigInt(Number(passage.id));
    database.run(`DELETE FROM ${fullTextTable(tenant)} WHERE rowid = ?`, rowid);
    database.run('DELETE FROM vectors WHERE rowid = ?', rowid);
    database.run('DELETE FROM passage_bodies WHERE id = ?', rowid);
    database.run('DELETE FROM passages WHERE id = ?', rowid);
  }
  if (passages.length === batchSize) return;
  for (const table of ['version_texts', 'version_groups', 'version_tags']) {
    database.run(`DELETE FROM ${table} WHERE version_id = ?`, version);
  }
  database.run('DELETE FROM versions WHERE id = ?', version);
}
