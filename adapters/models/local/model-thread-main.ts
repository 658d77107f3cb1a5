import { parentPort, workerData } from 'node:worker_threads';
import { ExitGuard } from './exit-guard.ts';
import { toModelFailure } from './model-failure.ts';
import type { ModelFailure } from './model-failure.ts';

export type ThreadStart = { start: unknown; shared: SharedArrayBuffer };
export type ThreadRequest<Request> = { do: 'answer'; request: Request } | { do: 'close' };
export type ThreadReply<Value> =
  { is: 'ready' } | { is: 'done'; value: Value } | { is: 'failed'; failure: ModelFailure };

/** A loaded model, on the thread. `transfer` are buffers of the value that the thread gives away. */
export interface ServedModel<Request, Value> {
  answer(request: Request): Promise<{ value: Value; transfer?: ArrayBuffer[] }>;
  close(): Promise<void>;
}

export interface Served<Start, Request, Value> {
  load: (start: Start, guard: ExitGuard) => Promise<ServedModel<Request, Value>>;
  /** For messages: what the model is, and what it does with a request. */
  model: string;
  doing: string;
}

/** In the thread: loads the model and answers one request after the other, so that it is not freed while it works. */
export function serveModel<Start, Request, Value>({ load, model, doing }: Served<Start, Request, Value>): void {
  if (parentPort === null) throw new Error('This module runs as a worker thread.');
  const port = parentPort;
  const reply = (message: ThreadReply<Value>, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const failed = (error: unknown, what: string) => reply({ is: 'failed', failure: toModelFailure(error, what, model) });

  const answer = async (served: ServedModel<Request, Value>, request: ThreadRequest<Request>) => {
    try {
      if (request.do === 'close') await served.close();
      else {
        const { value, transfer } = await served.answer(request.request);
        reply({ is: 'done', value }, transfer);
      }
    } catch (error) {
      failed(error, doing);
    }
    if (request.do === 'close') port.close();
  };
  const serve = async () => {
    const { start, shared } = workerData as ThreadStart;
    const served = await load(start as Start, new ExitGuard(shared));
    let work = Promise.resolve();
    port.on('message', (request: ThreadRequest<Request>) => {
      work = work.then(() => answer(served, request));
    });
    reply({ is: 'ready' });
  };
  serve().catch((error: unknown) => {
    failed(error, 'starting');
    port.close();
  });
}
