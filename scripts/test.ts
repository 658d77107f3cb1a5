import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What Jest prints when a test left a server, a timer or a socket open; it then kills the process and calls it a success. */
const leak = /failed to exit gracefully|did not exit one second after/;

const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const child = spawn(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'pipe'],
});

let errors = '';
child.stderr.on('data', (chunk: Buffer) => {
  errors += chunk.toString();
  process.stderr.write(chunk);
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
  if (leak.test(errors) && code === 0) process.exitCode = 1;
});
