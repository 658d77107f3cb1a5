import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { Passage } from '../../domain/contracts/document.ts';
import type { SplitOptions } from '../../domain/contracts/ingestion.ts';
import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import type { DocumentIdentity } from '../../domain/splitting/options.ts';
import { passagesOf, splitWarnings } from '../../domain/splitting/split.ts';
import { documentUnits } from '../../domain/splitting/units.ts';
import { hashText } from './hash.ts';
import { othersFirst } from './heartbeat.ts';

/** Counting the tokens of this many units, or making this many passages, takes a few milliseconds. */
const itemsAtOnce = 50;

interface SplitRequest {
  identity: DocumentIdentity;
  split: SplitOptions;
  embedding: EmbeddingModel;
  signal: AbortSignal;
}

/** Splits in small portions, so that heartbeats and other steps go on meanwhile. */
export async function splitInPortions(
  parsed: ParsedDocument,
  { identity, split, embedding, signal }: SplitRequest,
): Promise<{ passages: Passage[]; warnings: string[] }> {
  const options = {
    ...split,
    maxTokens: embedding.maxTokens,
    countTokens: (text: string) => embedding.countTokens(text),
    hash: hashText,
  };
  const units = await drawn(documentUnits(parsed, options), signal);
  const passages = await drawn(passagesOf(units, { parsed, identity, options }), signal);
  return { passages, warnings: splitWarnings(units) };
}

async function drawn<T>(source: Iterable<T>, signal: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  for (const item of source) {
    items.push(item);
    if (items.length % itemsAtOnce !== 0) continue;
    await othersFirst();
    signal.throwIfAborted();
  }
  return items;
}
