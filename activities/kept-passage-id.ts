import type { EvidenceRef } from '../domain/contracts/evidence.ts';

/** What is kept in the evidence store, not in the index. */
export type KeptOrigin = Exclude<EvidenceRef['origin'], 'corpus'>;

const prefixes = { web: 'web.', reviewer: 'reviewer.' } as const satisfies Record<KeptOrigin, string>;

/** Passages of the evidence store are told from those of the corpus by their ids: a step that reads them back needs to know where. */
export function keptPassageId(id: string, origin: KeptOrigin): string {
  return id.startsWith(prefixes[origin]) ? id : prefixes[origin] + id;
}

export function isKeptPassageId(id: string): boolean {
  return Object.values(prefixes).some((prefix) => id.startsWith(prefix));
}
