import type { Passage } from '../../../domain/contracts/document.ts';
import type { StoredPassage } from '../../index/port.ts';
import type { EvidencePage, EvidencePassage } from '../port.ts';

/** A page without its text, which is large and seldom asked for. */
export type PageHead = Omit<EvidencePage, 'text'>;

/** A passage as stored: its fields, and its vectors as little-endian 32-bit floats. */
export interface PackedPassage {
  body: Passage;
  vector: Uint8Array | null;
  stripVectors: Uint8Array | null;
}

export function packPassage({ vector, stripVectors, ...body }: EvidencePassage): PackedPassage {
  return {
    body,
    vector: vector === null ? null : packed([vector]),
    stripVectors: stripVectors === null ? null : packed(stripVectors),
  };
}

/** As the index gives a passage, the page's own fields in the place of a document's metadata. */
export function unpackPassage({ body, vector, stripVectors }: PackedPassage, page: PageHead): StoredPassage {
  const { title, url, language, authority } = page;
  return {
    ...body,
    title,
    uri: url,
    metadata: {
      title,
      uri: url,
      language,
      status: 'active',
      authority,
      effectiveFrom: null,
      effectiveTo: null,
      supersedes: null,
      groups: [],
      tags: [],
    },
    vector: vector === null ? null : (unpacked(vector, 1)[0] ?? null),
    stripVectors: stripVectors === null ? null : unpacked(stripVectors, body.strips.length),
  };
}

function packed(vectors: Float32Array[]): Uint8Array {
  return Buffer.concat(
    vectors.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
  );
}

function unpacked(bytes: Uint8Array, count: number): Float32Array[] {
  // A copy: what a database gives need not begin where floats may.
  const floats = new Float32Array(Uint8Array.from(bytes).buffer);
  const dimensions = count === 0 ? 0 : floats.length / count;
  return Array.from({ length: count }, (_, n) => floats.slice(n * dimensions, (n + 1) * dimensions));
}
