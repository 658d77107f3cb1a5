import { IndexError } from '../../adapters/index/port.ts';
import type { EmbeddedPassage, IndexPort, VersionKey } from '../../adapters/index/port.ts';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { Passage, Strip } from '../../domain/contracts/document.ts';
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
        const batch = await embedBatch(open.slice(at, at + passagesAtOnce), embedding, signal);
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

/** Each different text is embedded once: overlapping passages share strips. */
async function embedBatch(
  passages: Passage[],
  embedding: EmbeddingModel,
  signal: AbortSignal,
): Promise<EmbeddedPassage[]> {
  const inputs = passages.map((passage) => ({
    passage: passageInput(passage),
    strips: passage.strips.map((strip) => stripInput(strip, passage)),
  }));
  const texts = [...new Set(inputs.flatMap(({ passage, strips }) => [passage, ...strips]))];
  const vectors = await embedding.embedPassages(texts, signal);
  const byText = new Map(texts.map((input, n) => [input, vectors[n]]));
  const vectorOf = (input: string): Float32Array => {
    const vector = byText.get(input);
    if (vector === undefined)
      throw new RangeError(`the model gave ${vectors.length} vectors for ${texts.length} texts`);
    return vector;
  };
  return passages.map((passage, n) => ({
    ...passage,
    vector: vectorOf(inputs[n]?.passage ?? ''),
    stripVectors: (inputs[n]?.strips ?? []).map(vectorOf),
  }));
}

function passageInput({ context, text }: Passage): string {
  return context === '' ? text : `${context}\n${text}`;
}

/** A row means little without the names of its columns. */
function stripInput({ start, end, header }: Strip, passage: Passage): string {
  const own = passage.text.slice(start - passage.start, end - passage.start);
  return header === null ? own : `${header.text}\n${own}`;
}
