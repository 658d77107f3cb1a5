import { forbidTelemetry } from '../adapters/models/local/index.ts';
import type { Outcome } from './doctor-finding.ts';
import { messageOf } from './errors.ts';

const reinstall = 'Run `npm ci` again on this machine (it brings Node 24 and the native libraries for this platform).';

export async function nodeVersion(): Promise<Outcome> {
  const detail = `${process.versions.node}, ${process.platform}-${process.arch}`;
  if (Number.parseInt(process.versions.node, 10) >= 24) return { ok: true, detail };
  return {
    ok: false,
    detail,
    remedy: 'Plumbline needs Node.js 24: start it with `npm start`, which uses the one in node_modules.',
  };
}

export async function sqliteExtensions(): Promise<Outcome> {
  try {
    const { DatabaseSync } = await import('node:sqlite');
    const { getLoadablePath } = await import('sqlite-vec');
    const database = new DatabaseSync(':memory:', { allowExtension: true });
    try {
      database.exec(`CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61')`);
      database.loadExtension(getLoadablePath());
      const found = database.prepare('SELECT sqlite_version() AS sqlite, vec_version() AS vec').get();
      return { ok: true, detail: `SQLite ${String(found?.['sqlite'])}, sqlite-vec ${String(found?.['vec'])}` };
    } finally {
      database.close();
    }
  } catch (error) {
    return { ok: false, detail: messageOf(error), remedy: reinstall };
  }
}

export async function embeddingRuntime(): Promise<Outcome> {
  try {
    forbidTelemetry();
    const { env } = await import('onnxruntime-node');
    return { ok: true, detail: `onnxruntime ${env.versions.node ?? env.versions.common}` };
  } catch (error) {
    const detail = messageOf(error);
    const glibc = 'On Alpine and other musl systems use a glibc image instead.';
    return { ok: false, detail, remedy: `${reinstall} ${glibc}` };
  }
}
