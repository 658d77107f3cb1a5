import type { IndexPort } from '../../adapters/index/port.ts';
import type { Access } from '../../domain/contracts/access.ts';
import { readEvidence } from '../read-evidence.ts';

export interface CorpusTexts {
  /** What this run has found in the corpus. */
  texts: string[];
  /** Of it, with titles, what is open to some groups only. */
  restricted: string[];
}

/** Reads what this run has found in the corpus. @throws ApplicationFailure `Evidence.Gone`: what cannot be read cannot be kept from leaving */
export async function corpusTexts(
  index: Pick<IndexPort, 'passages'>,
  access: Access,
  ids: string[],
): Promise<CorpusTexts> {
  const passages = await readEvidence(index, access, { ids });
  return {
    texts: passages.map(({ text }) => text),
    restricted: passages
      .filter(({ metadata }) => metadata.groups.length > 0)
      .map(({ title, context, text }) => `${title}\n${context}\n${text}`),
  };
}
