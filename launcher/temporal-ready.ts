import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';

export type SearchAttributeType = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

export type TemporalTarget = {
  address: string;
  namespace: string;
  searchAttributes: Record<string, SearchAttributeType>;
};

/** `IndexedValueType` of Temporal's API. */
export const typeNumbers: Record<SearchAttributeType, number> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};

/**
 * Resolves once the server answers for the namespace and knows every search attribute; a start of a run before that would be refused.
 * Attributes are given to the dev server on its command line, but it reads them only when it makes its database: those that a newer version
 * of Plumbline added are registered here.
 * @param giveUp stops the waiting; its reason is thrown
 */
export async function temporalReady(target: TemporalTarget, giveUp: AbortSignal): Promise<void> {
  // gRPC waits a second after a refused connection; knocking first finds the moment to within a few milliseconds.
  await portOpen(target.address, giveUp);
  const connection = Connection.lazy({ address: target.address });
  try {
    for (;;) {
      giveUp.throwIfAborted();
      if (await isReady(connection, target)) return;
      await sleep(20);
    }
  } finally {
    await connection.close();
  }
}

async function isReady(connection: Connection, { namespace, searchAttributes }: TemporalTarget): Promise<boolean> {
  try {
    return await connection.withDeadline(Date.now() + 2_000, async () => {
      await connection.workflowService.describeNamespace({ namespace });
      const missing = await addMissingAttributes(connection, { namespace, searchAttributes });
      return missing.length === 0;
    });
  } catch (error) {
    if (isGrpcServiceError(error) && mayPass.has(error.code)) return false;
    throw error;
  }
}

/** Registers the search attributes that the namespace lacks and returns their names; the server knows them a moment later. */
export async function addMissingAttributes(
  { operatorService }: Connection,
  { namespace, searchAttributes }: Omit<TemporalTarget, 'address'>,
): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(searchAttributes).filter(([name]) => customAttributes?.[name] === undefined);
  if (missing.length > 0) {
    const wanted = Object.fromEntries(missing.map(([name, type]) => [name, typeNumbers[type]]));
    await operatorService.addSearchAttributes({ namespace, searchAttributes: wanted });
  }
  return missing.map(([name]) => name);
}

/** gRPC codes of a server that is still coming up: DEADLINE_EXCEEDED, NOT_FOUND (namespace), RESOURCE_EXHAUSTED, UNAVAILABLE. */
export const mayPass = new Set([4, 5, 8, 14]);

async function portOpen(address: string, giveUp: AbortSignal): Promise<void> {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(address.slice(colon + 1));
  while (!(await accepts(host, port))) {
    giveUp.throwIfAborted();
    await sleep(20);
  }
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const settle = (open: boolean) => () => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', settle(true));
    socket.once('error', settle(false));
    socket.once('timeout', settle(false));
  });
}
