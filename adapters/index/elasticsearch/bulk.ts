import { setTimeout } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { IndexError } from '../port.ts';
import { toItemError } from './elasticsearch-errors.ts';
import type { Store } from './store.ts';

/** One line or two of a bulk request. */
export interface BulkOperation {
  action: estypes.BulkOperationContainer;
  source?: object;
  /** Statuses of the answer that are as good as success: 404 for what shall be gone, 409 for what somebody else has changed. */
  accept?: number[];
}

/** Large enough that more brings no speed, small enough for a server with little memory (it refuses what does not fit). */
const maxBytes = 5_000_000;
const maxAttempts = 6;
const firstPauseMs = 100;

interface Written {
  text: string;
  accept: number[];
}

/**
 * Writes in requests of at most 5 MB, one after another. Items that the server rejects for want of room (429) are sent again, only
 * they, after growing pauses of together about three seconds.
 * @param index an alias, or an index that is being built
 * @throws IndexError `unavailable` when items stay rejected; for another failed item what `toItemError` says
 */
export async function writeBulk(
  { patient }: Pick<Store, 'patient'>,
  index: { alias: string } | { index: string },
  operations: Iterable<BulkOperation>,
): Promise<void> {
  for (const request of requests(operations)) {
    let open = request;
    for (let attempt = 1; open.length > 0; attempt += 1) {
      const { items, errors } = await patient.bulk<string>({
        ...('alias' in index ? { index: index.alias, require_alias: true } : index),
        operations: open.map(({ text }) => text),
        filter_path: ['errors', 'items.*.status', 'items.*.error.type'],
      });
      open = errors ? rejected(open, items) : [];
      if (open.length === 0) break;
      if (attempt === maxAttempts) {
        const message = `Elasticsearch: ${open.length} items were rejected ${maxAttempts} times for want of room`;
        throw new IndexError('unavailable', message, { retryable: true });
      }
      await setTimeout(firstPauseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2));
    }
  }
}

function* requests(operations: Iterable<BulkOperation>): Generator<Written[]> {
  let request: Written[] = [];
  let bytes = 0;
  for (const { action, source, accept = [] } of operations) {
    const text = source === undefined ? JSON.stringify(action) : `${JSON.stringify(action)}\n${JSON.stringify(source)}`;
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > maxBytes && request.length > 0) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push({ text, accept });
    bytes += size;
  }
  if (request.length > 0) yield request;
}

function rejected(sent: Written[], items: estypes.BulkResponse['items']): Written[] {
  return sent.filter(({ accept }, n) => {
    const [result] = Object.values(items[n] ?? {});
    if (result === undefined) throw toItemError(500, 'incomplete_answer');
    if (result.status < 300 || accept.includes(result.status)) return false;
    if (result.status === 429) return true;
    throw toItemError(result.status, result.error?.type ?? 'failure');
  });
}
