#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read: it hands over to the Node that comes with the package where the running one is too old.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const neededMajor = 24;

if (Number(process.versions.node.split('.')[0]) >= neededMajor) {
  const { runCli } = await import('../client/cli/main.ts');
  process.exitCode = await runCli(process.argv.slice(2));
} else {
  handOver();
}

function handOver() {
  const node = packagedNode();
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C in a terminal reaches the child by itself, too; it takes the two for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(`Node ${neededMajor} could not be started from ${node}: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function packagedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return fail(
      `Plumbline needs Node ${neededMajor}; this is ${process.version} and the packaged one is missing. Run "npm ci" first.`,
    );
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
