import type { Passage } from '../../../../domain/contracts/document.ts';
import type { EvidencePage, EvidencePassage, EvidenceStore } from '../../port.ts';
import { packPassage, type PageHead, unpackPassage } from '../passage-codec.ts';
import { openEvidenceFile } from './schema.ts';
import { toEvidenceError } from './sqlite-errors.ts';

export interface EmbeddedEvidenceOptions {
  /** Made if it is not there; its folder must be. */
  file: string;
  /** How long a call waits for another process's lock before it fails `locked`, in milliseconds; it blocks this thread. */
  busyTimeoutMs?: number;
}

type Connection = ReturnType<typeof openEvidenceFile>;

/** Evidence in one SQLite file. Several processes of one host may open it. @throws EvidenceError when the file cannot be used */
export async function createEmbeddedEvidenceStore({
  file,
  busyTimeoutMs = 1500,
}: EmbeddedEvidenceOptions): Promise<EvidenceStore> {
  const connection = await guarded(() => openEvidenceFile(file, busyTimeoutMs));
  return {
    kind: 'embedded',
    put: (page, passages) => guarded(() => put(connection, page, passages)),
    get: (tenant, ids) => guarded(() => get(connection, tenant, ids)),
    page: (tenant, id) => guarded(() => readPage(connection, tenant, id)),
    delete: (tenant, id) =>
      guarded(
        () =>
          connection.prepare('DELETE FROM pages WHERE tenant = ? AND id = ? AND expires_at > ?').run(tenant, id, now())
            .changes > 0,
      ),
    sweep: () =>
      guarded(() => Number(connection.prepare('DELETE FROM pages WHERE expires_at <= ?').run(now()).changes)),
    close: () => guarded(() => connection.close()),
  };
}

function put(connection: Connection, { text, ...head }: EvidencePage, passages: EvidencePassage[]): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const page = connection
      .prepare(
        `INSERT INTO pages (tenant, id, expires_at, head, text) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (tenant, id) DO UPDATE SET
           expires_at = max(expires_at, excluded.expires_at), head = excluded.head, text = excluded.text
         RETURNING rowid`,
      )
      .get(head.tenant, head.id, utc(head.expiresAt), JSON.stringify(head), text);
    const rowid = page?.rowid ?? null;
    const insert = connection.prepare(
      'INSERT OR REPLACE INTO passages (tenant, id, page, body, vector, strip_vectors) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const passage of passages) {
      const { body, vector, stripVectors } = packPassage(passage);
      insert.run(head.tenant, body.id, rowid, JSON.stringify(body), vector, stripVectors);
    }
    connection.exec('COMMIT');
  } catch (error) {
    // SQLite itself rolls back after some failures (full disk, I/O).
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

function get(connection: Connection, tenant: string, ids: string[]) {
  const select = connection.prepare(
    `SELECT body, vector, strip_vectors, head FROM passages JOIN pages ON pages.rowid = page
     WHERE passages.tenant = ? AND passages.id = ? AND expires_at > ?`,
  );
  return ids.flatMap((id) => {
    const row = select.get(tenant, id, now());
    if (row === undefined) return [];
    const packed = {
      body: JSON.parse(String(row.body)) as Passage,
      vector: bytes(row.vector),
      stripVectors: bytes(row.strip_vectors),
    };
    return [unpackPassage(packed, JSON.parse(String(row.head)) as PageHead)];
  });
}

function readPage(connection: Connection, tenant: string, id: string): EvidencePage | null {
  const row = connection
    .prepare('SELECT head, text, expires_at FROM pages WHERE tenant = ? AND id = ? AND expires_at > ?')
    .get(tenant, id, now());
  if (row === undefined) return null;
  return { ...(JSON.parse(String(row.head)) as PageHead), text: String(row.text), expiresAt: String(row.expires_at) };
}

function bytes(value: unknown): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}

/** One form for all times, so that they compare as texts. */
function utc(time: string): string {
  return new Date(time).toISOString();
}

function now(): string {
  return new Date().toISOString();
}

async function guarded<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    throw toEvidenceError(error);
  }
}
