import { ApplicationFailure } from '@temporalio/common';
import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { Access } from '../domain/contracts/access.ts';

/**
 * Reads passages back by their ids, in order. A passage that is gone (its document was replaced, deleted or closed to the asker since the search)
 * fails the step as `Evidence.Gone`: the run then searches anew, and never answers from half of its evidence.
 */
export async function readEvidence(
  index: Pick<IndexPort, 'passages'>,
  access: Access,
  { ids, vectors = false }: { ids: string[]; vectors?: boolean },
): Promise<StoredPassage[]> {
  const wanted = [...new Set(ids)];
  const passages = await index.passages(access, wanted, { vectors });
  if (passages.length < wanted.length) throw evidenceGone(wanted.length - passages.length, wanted.length);
  return passages;
}

export function evidenceGone(missing: number, wanted: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Evidence.Gone',
    message: `${missing} of ${wanted} passages were replaced, deleted or closed to the asker during the run`,
    nonRetryable: true,
  });
}
