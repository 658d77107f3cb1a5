import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import { foldText } from '../../../domain/text/normalise.ts';
import type { Database } from './database.ts';

/** To be called in a write transaction. */
export function writeMetadata(
  database: Database,
  version: { id: number; documentId: string },
  metadata: DocumentMetadata,
): void {
  database.run(
    `UPDATE versions SET status = ?, effective_from = ?, effective_to = ?, restricted = ?, search = ?, metadata = ? WHERE id = ?`,
    metadata.status,
    metadata.effectiveFrom,
    metadata.effectiveTo,
    metadata.groups.length > 0 ? 1 : 0,
    foldText(`${metadata.title}\n${version.documentId}`),
    JSON.stringify(metadata),
    version.id,
  );
  for (const [table, names] of [
    ['version_groups', metadata.groups],
    ['version_tags', metadata.tags],
  ] as const) {
    database.run(`DELETE FROM ${table} WHERE version_id = ?`, version.id);
    database.run(`INSERT OR IGNORE INTO ${table} SELECT ?, value FROM json_each(?)`, version.id, JSON.stringify(names));
  }
}
