import { NativeConnection, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { createEmbeddedIndex } from '../../adapters/index/embedded/index.ts';
import { createDocumentParser } from '../../adapters/parsers/index.ts';
import { createIngestionActivities } from '../../activities/ingestion/index.ts';
import { dimensions, fakeEmbedding } from './fake-embedding.ts';
import { limits, workflowsPath } from './settings.ts';

// A worker that a test can kill: worker-process.ts ADDRESS TASK_QUEUE SPOOL_DIR
const [address = '', taskQueue = '', spoolDir = ''] = process.argv.slice(2);
const index = await createEmbeddedIndex({ file: join(spoolDir, 'index.sqlite'), dimensions });
const embedding = fakeEmbedding({ log: join(spoolDir, 'embedded.log'), delayMs: 150 });
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
