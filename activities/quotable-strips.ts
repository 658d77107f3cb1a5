import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { KeptStrip } from '../domain/contracts/evidence.ts';
import type { QuotableStrip } from '../domain/rules/citation-list.ts';
import { readEvidence } from './read-evidence.ts';

/** The kept strips with their words, in order, and the passages that they are from. @throws ApplicationFailure `Evidence.Gone` */
export async function readStrips(
  index: Pick<IndexPort, 'passages'>,
  access: Access,
  strips: readonly KeptStrip[],
): Promise<{ strips: QuotableStrip[]; passages: StoredPassage[] }> {
  const passages = await readEvidence(index, access, { ids: strips.map(({ evidenceId }) => evidenceId) });
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  return { strips: strips.flatMap((strip) => quote(byId.get(strip.evidenceId), strip)), passages };
}

function quote(passage: StoredPassage | undefined, strip: KeptStrip): QuotableStrip[] {
  if (!passage) return [];
  const { title, uri, section, page } = passage;
  const stored = passage.strips.find((candidate) => candidate.end === strip.end);
  return [
    {
      ...strip,
      kind: stored?.kind ?? 'sentence',
      header: stored?.header ?? null,
      text: passage.text.slice(strip.start - passage.start, strip.end - passage.start),
      source: { origin: 'corpus', title, uri, section, page, readAt: null },
    },
  ];
}
