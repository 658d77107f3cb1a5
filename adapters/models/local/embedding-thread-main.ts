import { parentPort, workerData } from 'node:worker_threads';
import { dimensions } from './e5.ts';
import type { Role } from './e5.ts';
import { loadEncoder } from './encoder.ts';
import type { Encoder } from './encoder.ts';
import { ExitGuard } from './exit-guard.ts';
import type { ModelFiles } from './model-files.ts';
import { toModelFailure } from './model-failure.ts';
import type { ModelFailure } from './model-failure.ts';

export type ThreadStart = { files: ModelFiles; shared: SharedArrayBuffer };
export type ThreadRequest = { do: 'embed'; role: Role; texts: string[] } | { do: 'close' };
export type ThreadReply =
  | { is: 'ready' }
  /** The vectors of all texts, one after the other. */
  | { is: 'embedded'; values: Float32Array<ArrayBuffer> }
  | { is: 'failed'; failure: ModelFailure };

if (parentPort === null) throw new Error('This module runs as a worker thread.');
const port = parentPort;

function reply(message: ThreadReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function embedAll(encoder: Encoder, role: Role, texts: string[]): Promise<void> {
  const values = new Float32Array(texts.length * dimensions);
  for (const [index, text] of texts.entries()) values.set(await encoder.embed(role, text), index * dimensions);
  reply({ is: 'embedded', values }, [values.buffer]);
}

async function answer(encoder: Encoder, request: ThreadRequest): Promise<void> {
  try {
    if (request.do === 'embed') await embedAll(encoder, request.role, request.texts);
    else await encoder.close();
  } catch (error) {
    reply({ is: 'failed', failure: toModelFailure(error, 'embedding a text') });
  }
  if (request.do === 'close') port.close();
}

async function serve(): Promise<void> {
  const { files, shared } = workerData as ThreadStart;
  const encoder = await loadEncoder(files, new ExitGuard(shared));
  // One after the other: the model must not be freed while a text is being embedded.
  let work = Promise.resolve();
  port.on('message', (request: ThreadRequest) => {
    work = work.then(() => answer(encoder, request));
  });
  reply({ is: 'ready' });
}

serve().catch((error: unknown) => {
  reply({ is: 'failed', failure: toModelFailure(error, 'starting') });
  port.close();
});
