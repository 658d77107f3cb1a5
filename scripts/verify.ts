import { spawnSync } from 'node:child_process';

/** Scripts of package.json, cheapest finding first. The tests come last and print their own lines, so their counts end the output. */
const quiet = ['format:check', 'lint', 'types', 'imports', 'dead-exports'];

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

function run(script: string, stdio: 'pipe' | 'inherit') {
  const started = performance.now();
  const done = spawnSync(npm, ['run', '--silent', script], {
    stdio: ['ignore', stdio, stdio],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    shell: process.platform === 'win32',
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return {
    ok: done.status === 0,
    seconds,
    output: `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`,
  };
}

const failed: string[] = [];
for (const script of quiet) {
  const { ok, seconds, output } = run(script, 'pipe');
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${script}  ${seconds} s`);
  if (ok) continue;
  failed.push(script);
  console.log(output);
}
if (failed.length > 0) console.log(`Failed before the tests: ${failed.join(', ')}`);
if (!run('test', 'inherit').ok) failed.push('test');
process.exitCode = failed.length > 0 ? 1 : 0;
