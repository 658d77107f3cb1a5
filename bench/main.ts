/** `npm run bench`: the benchmarks that need nothing but the package, each in a process of its own; fails when any figure does not hold. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const failed = ['run.ts', 'memory.ts'].filter((file) => {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file)], { stdio: 'inherit' });
  return status !== 0;
});
if (failed.length > 0) console.error(`Not all figures hold, or could be measured: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
