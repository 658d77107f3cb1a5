import type { DocumentVersion, VersionKey } from '../port.ts';
import type { Database } from './database.ts';
import { findVersion, notStaged } from './find-version.ts';
import { writeMetadata } from './metadata.ts';
import { removeRetired } from './retired.ts';
import { ensureTenant, tenantId } from './tenants.ts';

export function liveVersion(database: Database, tenant: string, documentId: string): string | null {
  const row = database.get(
    `SELECT v.version FROM versions v JOIN tenants t ON t.id = v.tenant_id
     WHERE t.name = ? AND v.document_id = ? AND v.state = 'live'`,
    tenant,
    documentId,
  );
  return row ? String(row.version) : null;
}

/** A version begun again takes the newer metadata, as long as it is not published. */
export function beginVersion(database: Database, version: DocumentVersion): void {
  database.write(() => {
    const present = findVersion(database, version);
    if (present?.state === 'live') return;
    const tenant = present?.tenant ?? ensureTenant(database, version.tenant);
    const { format, contentHash, bytes, pages, pagesWithoutText, warnings, ingestedAt } = version;
    const details = JSON.stringify({ format, contentHash, bytes, pages, pagesWithoutText, warnings, ingestedAt });
    const id =
      present?.id ??
      Number(
        database.insert(
          `INSERT INTO versions (tenant_id, document_id, version, state, status, restricted, search, metadata, details)
           VALUES (?, ?, ?, 'staged', '', 0, '', '', '')`,
          tenant,
          version.documentId,
          version.version,
        ),
      );
    database.run('UPDATE versions SET details = ? WHERE id = ?', details, id);
    database.run('INSERT OR REPLACE INTO version_texts VALUES (?, ?)', id, version.text);
    writeMetadata(database, { id, documentId: version.documentId }, version.metadata);
  });
}

export async function publishVersion(database: Database, key: VersionKey): Promise<void> {
  const tenant = database.write(() => {
    const version = findVersion(database, key);
    if (!version) throw notStaged();
    if (version.state === 'staged') {
      database.run(
        `UPDATE versions SET state = 'retired' WHERE tenant_id = ? AND document_id = ? AND state = 'live'`,
        version.tenant,
        key.documentId,
      );
      database.run(
        `UPDATE versions SET state = 'live', passages = (SELECT count(*) FROM passages p WHERE p.version_id = versions.id) WHERE id = ?`,
        version.id,
      );
    }
    return version.tenant;
  });
  await removeRetired(database, tenant);
}

export async function discardVersion(database: Database, key: VersionKey): Promise<void> {
  const tenant = tenantId(database, key.tenant);
  if (tenant === null) return;
  database.write(() =>
    database.run(
      `UPDATE versions SET state = 'retired' WHERE tenant_id = ? AND document_id = ? AND version = ? AND state = 'staged'`,
      tenant,
      key.documentId,
      key.version,
    ),
  );
  await removeRetired(database, tenant);
}
