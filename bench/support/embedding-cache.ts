import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EmbeddingModel } from '../../adapters/models/port.ts';

/** Puts a file of known vectors, keyed by hashes of the texts, before a model, so that a benchmark of search need not embed a corpus again. */
export async function withStoredVectors(model: EmbeddingModel, cacheDir: string): Promise<EmbeddingModel> {
  const folder = join(cacheDir, 'bench');
  await mkdir(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, `${model.id.replace(/[^\w.-]+/g, '-')}.db`), { timeout: 30_000 });
  database.exec(`
    PRAGMA journal_mode = wal;
    PRAGMA synchronous = normal;
    CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;`);
  const select = database.prepare('SELECT vector FROM vectors WHERE hash = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?)');

  const stored = (hash: Uint8Array): Float32Array | null => {
    const bytes = select.get(hash)?.['vector'];
    return bytes instanceof Uint8Array ? new Float32Array(bytes.slice().buffer) : null;
  };
  const store = (hash: Uint8Array, vector: Float32Array) =>
    insert.run(hash, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));

  return {
    id: model.id,
    dimensions: model.dimensions,
    maxTokens: model.maxTokens,
    countTokens: (text) => model.countTokens(text),
    async embedQuery(text, signal) {
      const hash = hashOf('query', text);
      const known = stored(hash);
      if (known) return known;
      const vector = await model.embedQuery(text, signal);
      store(hash, vector);
      return vector;
    },
    async embedPassages(texts, signal) {
      const vectors = texts.map((text) => stored(hashOf('passage', text)));
      const missing = texts.filter((_, index) => vectors[index] === null);
      const made = (await model.embedPassages(missing, signal)).values();
      return texts.map((text, index) => {
        const known = vectors[index];
        if (known) return known;
        const { value } = made.next();
        if (!value) throw new RangeError(`the model gave too few vectors for ${missing.length} texts`);
        store(hashOf('passage', text), value);
        return value;
      });
    },
    async close() {
      database.close();
      await model.close();
    },
  };
}

function hashOf(role: 'query' | 'passage', text: string): Uint8Array {
  return createHash('sha256').update(`${role}\n${text}`).digest();
}
