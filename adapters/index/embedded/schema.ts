import { IndexError } from '../port.ts';
import { firstEmbeddingModel, otherOrigin } from '../vector-origin.ts';
import type { Database } from './database.ts';

/** Marks a file as ours in the header of the database ("PLMB"). */
const applicationId = 0x504c4d42;

/** Passages of a vec0 chunk. A tenant takes whole chunks: 256 × 384 floats are 0.4 MB; larger chunks are not faster. */
const chunkSize = 256;

/** `before`: the version that the file had when it was opened; 0: it is new. */
type Migration = (database: Database, before: number) => void;

/** Position + 1 is the schema version that a migration leads to. Never edit one that was released: append. */
const migrations: Migration[] = [
  (database) =>
    database.exec(`
      CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      INSERT INTO settings VALUES ('dimensions', '${database.dimensions}');

      CREATE TABLE tenants (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

      -- state: staged (being ingested), live (the one that is read), retired (being removed)
      CREATE TABLE versions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant_id INTEGER NOT NULL REFERENCES tenants (id),
        document_id TEXT NOT NULL,
        version TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('staged', 'live', 'retired')),
        status TEXT NOT NULL,
        effective_from TEXT,
        effective_to TEXT,
        restricted INTEGER NOT NULL,
        passages INTEGER NOT NULL DEFAULT 0,
        search TEXT NOT NULL,
        metadata TEXT NOT NULL,
        details TEXT NOT NULL
      );
      CREATE UNIQUE INDEX versions_live ON versions (tenant_id, document_id) WHERE state = 'live';
      CREATE UNIQUE INDEX versions_current ON versions (tenant_id, document_id, version) WHERE state <> 'retired';
      CREATE INDEX versions_retired ON versions (tenant_id) WHERE state = 'retired';

      CREATE TABLE version_texts (version_id INTEGER PRIMARY KEY, text TEXT NOT NULL);
      CREATE TABLE version_groups (version_id INTEGER, name TEXT, PRIMARY KEY (version_id, name)) WITHOUT ROWID;
      CREATE TABLE version_tags (version_id INTEGER, name TEXT, PRIMARY KEY (version_id, name)) WITHOUT ROWID;

      -- Narrow, because the BM25 leg looks up every match here; texts and strip vectors are apart.
      CREATE TABLE passages (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, passage_id TEXT NOT NULL);
      CREATE UNIQUE INDEX passages_of_version ON passages (version_id, passage_id);
      CREATE INDEX passages_by_id ON passages (passage_id);
      CREATE TABLE passage_bodies (id INTEGER PRIMARY KEY, body TEXT NOT NULL, strip_vectors BLOB NOT NULL);

      CREATE VIRTUAL TABLE vectors USING vec0 (
        tenant_id INTEGER PARTITION KEY,
        vector FLOAT[${database.dimensions}] DISTANCE_METRIC=cosine,
        chunk_size=${chunkSize}
      );`),
  (database, before) =>
    database.run(`INSERT INTO settings VALUES ('model', ?)`, before === 0 ? database.model : firstEmbeddingModel),
];

/** @throws IndexError `corrupt` for a database of another program, `mapping` for one of a newer Plumbline */
export function isCurrent(database: Database): boolean {
  const present = pragma(database, 'user_version');
  if (pragma(database, 'application_id') !== applicationId && !isEmpty(database)) {
    throw fault('corrupt', 'the file is a database of another program; choose another file for the index');
  }
  if (present > migrations.length) {
    throw fault('mapping', `the index has schema ${present}, newer than ${migrations.length}; update Plumbline`);
  }
  return present === migrations.length;
}

/** Brings the file to the present schema. To be called in a write transaction: another process may have done it meanwhile. */
export function migrate(database: Database): void {
  if (isCurrent(database)) return;
  const before = pragma(database, 'user_version');
  for (const step of migrations.slice(before)) step(database, before);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
}

/** @throws IndexError `mapping` when the file holds vectors of another model or length */
export function checkVectors(database: Database): void {
  const stored = (name: string) => String(database.get('SELECT value FROM settings WHERE name = ?', name)?.value);
  const found = { model: stored('model'), dimensions: Number(stored('dimensions')) };
  const why = otherOrigin(found, database);
  if (why !== null) throw fault('mapping', `the index ${why} (PLUMBLINE_DATA_DIR)`);
}

/** Name of the tenant's own full-text table: word statistics of one tenant neither show in nor change the scores of another. */
export function fullTextTable(tenantId: number): string {
  return `bm25_${tenantId}`;
}

export function createFullTextTable(tenantId: number): string {
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${fullTextTable(tenantId)} USING fts5 (
    body, context, codes, grams, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`;
}

function pragma(database: Database, name: 'user_version' | 'application_id'): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name]);
}

function isEmpty(database: Database): boolean {
  return database.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
}

function fault(code: 'corrupt' | 'mapping', message: string): IndexError {
  return new IndexError(code, message, { retryable: false });
}
