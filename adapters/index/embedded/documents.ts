import type { Access } from '../../../domain/contracts/access.ts';
import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import { foldText } from '../../../domain/text/normalise.ts';
import type { DocumentFilter, StoredDocument } from '../port.ts';
import type { Database, Row } from './database.ts';
import { readableBy } from './readable.ts';
import { removeRetired } from './retired.ts';
import { tenantId } from './tenants.ts';
import { writeMetadata } from './metadata.ts';

/** What is kept of a version as JSON. */
export type Details = Pick<
  StoredDocument,
  'format' | 'contentHash' | 'bytes' | 'pages' | 'pagesWithoutText' | 'warnings' | 'ingestedAt'
>;

const columns = 'v.document_id, v.version, v.passages, v.metadata, v.details';

export function document(database: Database, access: Access, documentId: string): StoredDocument | null {
  const readable = readableBy(access);
  const row = database.get(
    `SELECT ${columns} FROM versions v WHERE ${readable.sql} AND v.document_id = ?`,
    ...readable.values,
    documentId,
  );
  return row ? toDocument(row) : null;
}

export function documentText(database: Database, access: Access, documentId: string): string | null {
  const readable = readableBy(access);
  const row = database.get(
    `SELECT t.text FROM versions v JOIN version_texts t ON t.version_id = v.id WHERE ${readable.sql} AND v.document_id = ?`,
    ...readable.values,
    documentId,
  );
  return row ? String(row.text) : null;
}

export function listDocuments(database: Database, access: Access, filter: DocumentFilter): StoredDocument[] {
  const readable = readableBy(access);
  return database
    .all(
      `SELECT ${columns} FROM versions v WHERE ${readable.sql}
         AND (? IS NULL OR v.status = ?)
         AND (? IS NULL OR EXISTS (SELECT 1 FROM version_tags t WHERE t.version_id = v.id AND t.name = ?))
         AND instr(v.search, ?) > 0 AND v.document_id > ?
       ORDER BY v.document_id LIMIT ?`,
      ...readable.values,
      filter.status ?? null,
      filter.status ?? null,
      filter.tag ?? null,
      filter.tag ?? null,
      foldText(filter.search ?? ''),
      filter.after ?? '',
      filter.limit,
    )
    .map(toDocument);
}

/** A version of the document that is still being ingested takes it too: rights set now are not undone when it is published. */
export function updateMetadata(
  database: Database,
  key: { tenant: string; documentId: string },
  metadata: DocumentMetadata,
): boolean {
  return database.write(() => {
    const present = database.all(
      `SELECT v.id, v.state FROM versions v JOIN tenants t ON t.id = v.tenant_id
       WHERE t.name = ? AND v.document_id = ? AND v.state <> 'retired'`,
      key.tenant,
      key.documentId,
    );
    if (!present.some((row) => row.state === 'live')) return false;
    for (const row of present) writeMetadata(database, { id: Number(row.id), documentId: key.documentId }, metadata);
    return true;
  });
}

/** Gone for readers in one step; a version still being ingested goes too. */
export async function deleteDocument(database: Database, tenant: string, documentId: string): Promise<boolean> {
  const owner = tenantId(database, tenant);
  if (owner === null) return false;
  const wasLive = database.write(() => {
    const live = database.get(
      `SELECT 1 FROM versions WHERE tenant_id = ? AND document_id = ? AND state = 'live'`,
      owner,
      documentId,
    );
    database.run(`UPDATE versions SET state = 'retired' WHERE tenant_id = ? AND document_id = ?`, owner, documentId);
    return live !== undefined;
  });
  await removeRetired(database, owner);
  return wasLive;
}

export function counts(database: Database, access: Access): { documents: number; passages: number } {
  const readable = readableBy(access);
  const row = database.get(
    `SELECT count(*) AS documents, total(v.passages) AS passages FROM versions v WHERE ${readable.sql}`,
    ...readable.values,
  );
  return { documents: Number(row?.documents), passages: Number(row?.passages) };
}

function toDocument(row: Row): StoredDocument {
  return {
    documentId: String(row.document_id),
    version: String(row.version),
    passages: Number(row.passages),
    metadata: JSON.parse(String(row.metadata)) as DocumentMetadata,
    ...(JSON.parse(String(row.details)) as Details),
  };
}
