import type { Database } from './database.ts';
import { createFullTextTable } from './schema.ts';

/** The tenant's number in this file; null when nothing of it was ever stored. */
export function tenantId(database: Database, name: string): number | null {
  const row = database.get('SELECT id FROM tenants WHERE name = ?', name);
  return row ? Number(row.id) : null;
}

/** To be called in a write transaction. */
export function ensureTenant(database: Database, name: string): number {
  const known = tenantId(database, name);
  if (known !== null) return known;
  const id = Number(database.insert('INSERT INTO tenants (name) VALUES (?)', name));
  database.exec(createFullTextTable(id));
  return id;
}
