import type { Client, estypes } from '@elastic/elasticsearch';
import { statusError } from './elasticsearch-errors.ts';

export interface Write {
  action: estypes.BulkOperationContainer;
  source?: object;
}

const maxBytes = 5_000_000;

/** Writes in requests of about 5 MB. What shall be gone may be gone already, and what somebody else changed meanwhile stays: 404 and 409 of all but writing anew. */
export async function writeBulk(client: Client, index: string, writes: Write[]): Promise<void> {
  let lines: string[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    if (lines.length === 0) return;
    const { items } = await client.bulk<string>({ index, operations: lines, require_alias: true });
    for (const item of items) refuseFailed(item);
    lines = [];
    bytes = 0;
  };
  for (const { action, source } of writes) {
    const texts = [action, source].flatMap((part) => (part === undefined ? [] : JSON.stringify(part)));
    lines.push(...texts);
    bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (bytes >= maxBytes) await send();
  }
  await send();
}

function refuseFailed(item: Partial<Record<string, estypes.BulkResponseItem>>): void {
  const [[operation, result] = []] = Object.entries(item);
  if (result === undefined) throw statusError(500, 'incomplete_answer');
  const settled = operation !== 'index' && (result.status === 404 || result.status === 409);
  if (result.status >= 300 && !settled) throw statusError(result.status, result.error?.type ?? 'failure');
}
