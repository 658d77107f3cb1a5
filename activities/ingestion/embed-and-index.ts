import { IndexError } from '../../adapters/index/port.ts';
import type { EmbeddedPassage, IndexPort, VersionKey } from '../../adapters/index/port.ts';
import { embedPassages } from '../embed-passages.ts';
import { alive } from './heartbeat.ts';
import { readPreparedDocument, readStretch } from './prepared-files.ts';
import { keyOf } from './run.ts';
import type { IngestionDeps, PreparedRef, RunRef } from './run.ts';

/** Passages embedded and stored in one go: what a killed worker has to embed again at most. */
const passagesAtOnce = 8;

interface EmbedInput {
  run: RunRef;
  document: PreparedRef;
  /** Counts from 0. */
  stretch: number;
}

/** Embeds and stores a stretch of an unpublished version's passages. Those stored by an earlier attempt are not embedded again. */
export function createEmbedAndIndex({ index, embedding, spoolDir }: IngestionDeps) {
  return ({ run, document, stretch }: EmbedInput): Promise<{ passages: number; embedded: number }> =>
    alive(async (signal) => {
      const key = keyOf(run, document);
      if (stretch === 0) await index.beginVersion(await readPreparedDocument(run, document, spoolDir));
      const passages = await readStretch(run, { document, stretch }, spoolDir);
      const ids = passages.map(({ id }) => id);
      const missing = new Set(await index.missingPassages(key, ids));
      const open = passages.filter(({ id }) => missing.has(id));
      for (let at = 0; at < open.length; at += passagesAtOnce) {
        signal.throwIfAborted();
        const batch = await embedPassages(open.slice(at, at + passagesAtOnce), embedding, signal);
        await stage(index, key, batch);
      }
      return { passages: passages.length, embedded: open.length };
    });
}

/** Another run that took in the same bytes may have published this version meanwhile: then it is whole already. */
async function stage(index: IndexPort, key: VersionKey, batch: EmbeddedPassage[]): Promise<void> {
  try {
    await index.stagePassages(key, batch);
  } catch (error) {
    const rejected = error instanceof IndexError && error.code === 'rejected';
    if (!rejected || (await index.liveVersion(key.tenant, key.documentId)) !== key.version) throw error;
  }
}
