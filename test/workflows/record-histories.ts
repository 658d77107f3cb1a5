import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { devServer, quietRuntime } from '../support/servers.ts';
import { paths } from './paths.ts';
import { runPath } from './run-path.ts';

// Records a history on the real dev server, into test/histories, of every path that has none, or of those named. A change of the workflow that
// needs an old path recorded anew breaks runs under way: use patched() instead (see CONTRIBUTING).
const fileOf = (name: string) => join(import.meta.dirname, '..', 'histories', `${name}.json`);
const named = process.argv.slice(2);
quietRuntime();
const env = await devServer();
for (const [name, path] of Object.entries(paths)) {
  if (named.length > 0 ? !named.includes(name) : existsSync(fileOf(name))) continue;
  await runPath(env, path, async (handle, end) => {
    const history = historyToJSON(await handle.fetchHistory());
    // Stack traces name files by where they lie here.
    const anywhere = history.replaceAll(`${join(import.meta.dirname, '..', '..')}/`, '');
    writeFileSync(fileOf(name), `${anywhere}\n`);
    process.stdout.write(`${name}: ${end}, ${history.length} characters\n`);
  });
}
await env.teardown();
