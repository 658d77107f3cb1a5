import { NativeConnection, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { createDocumentParser } from '../../adapters/parsers/index.ts';
import { createIngestionActivities } from '../../activities/ingestion/index.ts';
import { dimensions, fakeEmbedding } from './fake-embedding.ts';
import { limits, workflowsPath } from './settings.ts';

// A worker that a test can kill: worker-process.ts ADDRESS TASK_QUEUE SPOOL_DIR MILLISECONDS_AN_EMBEDDING [STUCK_DOCUMENT]
// The publication of the stuck document is done and never reported.
const [address = '', taskQueue = '', spoolDir = '', delayMs = '', stuck] = process.argv.slice(2);
const embedded = await createEmbeddedIndex({ file: join(spoolDir, 'index.sqlite'), dimensions });
const index: IndexPort = {
  ...embedded,
  publishVersion: async (key) => {
    await embedded.publishVersion(key);
    if (key.documentId === stuck) await new Promise(() => undefined);
  },
};
const embedding = fakeEmbedding({ log: join(spoolDir, 'embedded.log'), delayMs: Number(delayMs) });
const parser = createDocumentParser(limits, { processes: 1 });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath,
  activities: createIngestionActivities({ index, embedding, parser, spoolDir }),
});
// Until SIGTERM, or killed.
await worker.run();
process.exit(0);
