import { IndexError } from '../port.ts';
import type { VersionKey } from '../port.ts';
import type { Database } from './database.ts';

export interface FoundVersion {
  id: number;
  tenant: number;
  state: 'staged' | 'live';
}

/** The staged or live version. */
export function findVersion(database: Database, key: VersionKey): FoundVersion | null {
  const row = database.get(
    `SELECT v.id, v.tenant_id, v.state FROM versions v JOIN tenants t ON t.id = v.tenant_id
     WHERE t.name = ? AND v.document_id = ? AND v.version = ? AND v.state <> 'retired'`,
    key.tenant,
    key.documentId,
    key.version,
  );
  return row
    ? { id: Number(row.id), tenant: Number(row.tenant_id), state: row.state === 'live' ? 'live' : 'staged' }
    : null;
}

export function notStaged(): IndexError {
  return new IndexError(
    'rejected',
    'the version is not being ingested: begin it first, or it was discarded or deleted',
    {
      retryable: false,
    },
  );
}
