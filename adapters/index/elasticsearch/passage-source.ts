import type { DocumentMetadata, Passage } from '../../../domain/contracts/document.ts';
import { foldText } from '../../../domain/text/normalise.ts';
import { words } from '../../../domain/text/words.ts';
import type { EmbeddedPassage, VersionKey } from '../port.ts';
import { codesIn } from '../question-terms.ts';
import { packVectors } from '../strip-vectors.ts';
import { filterFields } from './filters.ts';
import type { FilterFields } from './filters.ts';
import { documentKey, versionKey } from './keys.ts';

/** A passage as it is staged: nothing of it is indexed. Vectors are base64: float32 (little endian), and packed strips. */
export interface Row {
  passage: Passage;
  vector: string;
  stripVectors: string;
}

export interface StagedSource {
  documentKey: string;
  versionKey: string;
  row: Row;
}

/** A passage as it is searched. What was `stored` comes back to the letter; `body`, `context`, `neutral` and `codes` are folded. */
export interface PassageSource extends FilterFields {
  tenant: string;
  documentId: string;
  passageId: string;
  documentKey: string;
  versionKey: string;
  body: string;
  context: string;
  neutral: string;
  codes: string[];
  embedding: number[];
  stored: Passage;
  /** Our own copy: since 9.2 `_source` leaves vectors out, before that it holds them as long numbers. */
  vector: string;
  stripVectors: string;
}

export function stagedSource(key: VersionKey, { vector, stripVectors, ...passage }: EmbeddedPassage): StagedSource {
  return {
    documentKey: documentKey(key.tenant, key.documentId),
    versionKey: versionKey(key),
    row: {
      passage,
      vector: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
      stripVectors: Buffer.from(packVectors(stripVectors, vector.length)).toString('base64'),
    },
  };
}

export function passageSource(key: VersionKey, row: Row, metadata: DocumentMetadata): PassageSource {
  return {
    ...filterFields(metadata),
    tenant: key.tenant,
    documentId: key.documentId,
    passageId: row.passage.id,
    documentKey: documentKey(key.tenant, key.documentId),
    versionKey: versionKey(key),
    ...searchedFields(row.passage),
    embedding: numbers(row.vector),
    stored: row.passage,
    vector: row.vector,
    stripVectors: row.stripVectors,
  };
}

/** The same passage for an index with another mapping: everything that is computed is computed anew. */
export function rebuiltPassage(source: PassageSource): PassageSource {
  return { ...source, ...searchedFields(source.stored), embedding: numbers(source.vector) };
}

export function vectorFrom(base64: string): Float32Array {
  // Copied, because a small buffer of Node's pool need not be aligned.
  return new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}

function searchedFields({ text, context }: Passage): Pick<PassageSource, 'body' | 'context' | 'neutral' | 'codes'> {
  const both = `${context}\n${text}`;
  return {
    body: words(text).join(' '),
    context: words(context).join(' '),
    neutral: foldText(both),
    codes: [...new Set(codesIn(both))],
  };
}

/** Nine digits give back every float32; a double's seventeen would double the request. */
function numbers(vector: string): number[] {
  return Array.from(vectorFrom(vector), (value) => Number(value.toPrecision(9)));
}
