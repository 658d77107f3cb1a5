import { DatabaseSync } from 'node:sqlite';
import { EvidenceError } from '../../port.ts';

/** Marks a file as ours in the header of the database ("PLEV"). */
const applicationId = 0x504c4556;
const schemaVersion = 1;

const schema = `
  CREATE TABLE pages (
    rowid INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    head TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (tenant, id)
  );
  CREATE INDEX pages_expiring ON pages (expires_at);
  CREATE TABLE passages (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    body TEXT NOT NULL,
    vector BLOB,
    strip_vectors BLOB,
    PRIMARY KEY (tenant, id)
  );
  CREATE INDEX passages_of_page ON passages (page);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};`;

/** Opens or creates the file in WAL mode. Nothing stays open after a failure. @throws EvidenceError `corrupt` for a file of another program or of a newer Plumbline */
export function openEvidenceFile(file: string, busyTimeoutMs: number): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    if (version(connection) === 0) {
      connection.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
      // Another process may have been first.
      if (version(connection) === 0) connection.exec(schema);
      connection.exec('COMMIT');
    }
    connection.exec('PRAGMA secure_delete = ON');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function version(connection: DatabaseSync): number {
  const application = Number(connection.prepare('PRAGMA application_id').get()?.application_id);
  const found = Number(connection.prepare('PRAGMA user_version').get()?.user_version);
  const empty = connection.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!empty && application !== applicationId) {
    throw new EvidenceError(
      'corrupt',
      'The file is a database of another program; choose another file for the evidence.',
      {
        retryable: false,
      },
    );
  }
  if (found > schemaVersion) {
    throw new EvidenceError(
      'corrupt',
      `The evidence has schema ${found}, newer than ${schemaVersion}; update Plumbline.`,
      {
        retryable: false,
      },
    );
  }
  return found;
}
