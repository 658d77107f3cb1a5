import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { questionWorker, startQuestion } from '../support/question-runs.ts';
import { scriptedSteps } from '../support/scripted-steps.ts';
import { devServer, quietRuntime } from '../support/servers.ts';
import { paths } from './paths.ts';

// Records a history of every path on the real dev server into test/histories. Run it when a new path is added; a change of the workflow
// that needs an old path recorded anew breaks runs under way: use patched() instead (see CONTRIBUTING).
quietRuntime();
const env = await devServer();
for (const [name, { script, question, override }] of Object.entries(paths)) {
  const taskQueue = `record-${randomUUID()}`;
  const { activities } = scriptedSteps(script);
  const { worker } = await questionWorker({
    connection: env.nativeConnection,
    taskQueue,
    activities: { ...activities, ...override },
  });
  await worker.runUntil(async () => {
    const handle = await startQuestion(env.client, { taskQueue, ...(question === undefined ? {} : { question }) });
    const end = await handle.result().then(
      ({ status }) => status,
      () => 'failed',
    );
    const history = historyToJSON(await handle.fetchHistory());
    // Stack traces name files by where they lie here.
    const anywhere = history.replaceAll(`${join(import.meta.dirname, '..', '..')}/`, '');
    writeFileSync(join(import.meta.dirname, '..', 'histories', `${name}.json`), `${anywhere}\n`);
    process.stdout.write(`${name}: ${end}, ${history.length} characters\n`);
  });
}
await env.teardown();
