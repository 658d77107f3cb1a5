import type { Client } from '@temporalio/client';
import { PlumblineError, fromTemporal } from './failures.ts';
import { runEnd, type RunEnd } from './run-end.ts';

/**
 * How long one call to Temporal may take, in ms. A query waits for a worker too, which may first have to replay the run; an update does that as well,
 * and the server holds back those of one run beyond ten at a time.
 */
const limits = { call: 5000, query: 4000, update: 10_000 } as const;

interface Bounds {
  ms: number;
  signal: AbortSignal | undefined;
}

export interface CallOptions {
  kind?: keyof typeof limits;
  /** Gives the call up, for example when the reader has gone. */
  signal?: AbortSignal | undefined;
}

/** One bounded call to Temporal. @throws PlumblineError `Temporal.Unavailable`, or what is not an outage as it is */
export async function callTemporal<T>(
  client: Client,
  call: () => Promise<T>,
  { kind, signal }: CallOptions = {},
): Promise<T> {
  try {
    return await bounded(client, call, { ms: limits[kind ?? 'call'], signal });
  } catch (error) {
    throw fromTemporal(error);
  }
}

/** Runs calls under one deadline. @throws errors of the connection as they are */
function bounded<T>({ connection }: Client, call: () => Promise<T>, { ms, signal }: Bounds): Promise<T> {
  const withDeadline = () => connection.withDeadline(Date.now() + ms, call);
  // The connection adds a listener per call and never takes it off: a signal of its own lets it go with the call.
  return signal ? connection.withAbortSignal(AbortSignal.any([signal]), withDeadline) : withDeadline();
}

/** The end of a run; null when the time is over, or Temporal went away meanwhile: the run was accepted and goes on. */
export async function endWithin<R>(
  client: Client,
  handle: { result(): Promise<R> },
  bounds: Bounds,
): Promise<RunEnd<R> | null> {
  try {
    return await bounded(client, () => runEnd(handle), bounds);
  } catch (error) {
    const failure = fromTemporal(error);
    if (failure instanceof PlumblineError) return null;
    throw failure;
  }
}
