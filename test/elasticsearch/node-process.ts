import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import type { Jdk } from './find-jdk.ts';

const START_TIMEOUT_MS = 120_000;
const CLOSE_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
const LOG_LINES_IN_ERROR = 15;

export interface NodeOptions {
  jdk: Jdk;
  /** The assembled server. */
  home: string;
  dataDir: string;
  /** 0 takes a free one. */
  port: number;
  heap: string;
  /** Whether the JVM compiles for the long run, which costs a server of a minute's life 40 % more CPU than it gives back. */
  lasting: boolean;
  settings: Record<string, string>;
}

export interface NodeProcess {
  pid: number;
  port: number;
  logFile: string;
  /** Sends the signal unless the process has ended, and resolves when it has; SIGKILL follows a SIGTERM that has no effect. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

/** Runs the launcher and resolves once the node serves and has recovered its indices. */
export async function startNode(options: NodeOptions): Promise<NodeProcess> {
  const logs = join(options.dataDir, 'logs');
  const logFile = join(logs, 'server.log');
  const portsFile = join(logs, 'http.ports');
  await rm(portsFile, { force: true });
  const log = await open(logFile, 'a');
  // The launcher watches its standard input, which closes with this process; it writes to the file itself, so no pipe can fill.
  const child = spawn(join(options.jdk.home, 'bin', 'java'), javaArguments(options), {
    cwd: options.dataDir,
    stdio: ['pipe', log.fd, log.fd],
  });
  // A test that fails before it stops its server must not keep the process of the tests alive.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  const end = (signal: 'SIGTERM' | 'SIGKILL') => endProcess(child, signal);
  try {
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))]);
    const port = await waitForPort(child, portsFile);
    await waitForIndices(child, port);
    return { pid: child.pid ?? 0, port, logFile, end };
  } catch (error) {
    await end('SIGKILL');
    throw new Error(await describeFailure(error, logFile), { cause: error });
  } finally {
    await log.close();
  }
}

async function describeFailure(error: unknown, logFile: string): Promise<string> {
  const reason = types.isNativeError(error) ? error.message : String(error);
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line && !line.startsWith('\tat '));
  return `Elasticsearch did not start (${reason}); the end of ${logFile}:\n${lines.slice(-LOG_LINES_IN_ERROR).join('\n')}`;
}

function javaArguments({ jdk, home, dataDir, port, heap, lasting, settings }: NodeOptions): string[] {
  const forVersion = [
    ...(jdk.hasVectorModule ? ['--add-modules=jdk.incubator.vector'] : []),
    ...(jdk.major >= 24 ? ['--sun-misc-unsafe-memory-access=allow'] : []),
  ];
  return [
    `-Xmx${heap}`,
    ...(lasting ? [] : ['-XX:TieredStopAtLevel=1']),
    '--enable-native-access=ALL-UNNAMED',
    ...forVersion,
    '-cp',
    join(home, 'lib', '*'),
    'plumbline.testserver.Launcher',
    home,
    dataDir,
    String(port),
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ];
}

/** Elasticsearch writes its bound addresses, one a line, into this file in one step when it begins to serve. */
async function waitForPort(child: ChildProcess, portsFile: string): Promise<number> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!existsSync(portsFile)) {
    assertRunning(child, deadline);
    await sleep(POLL_MS);
  }
  const port = /:(\d+)\s/.exec(await readFile(portsFile, 'utf8'))?.[1];
  if (!port) throw new Error(`${portsFile} holds no port`);
  return Number(port);
}

/** After a crash the node serves before it has recovered its shards; searches fail until then. */
async function waitForIndices(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  const health = `http://127.0.0.1:${port}/_cluster/health?wait_for_status=yellow&wait_for_no_initializing_shards=true&timeout=10s`;
  for (;;) {
    assertRunning(child, deadline);
    if ((await fetch(health)).ok) return;
    await sleep(POLL_MS);
  }
}

function assertRunning(child: ChildProcess, deadline: number): void {
  if (hasEnded(child)) throw new Error(`the process ended with ${child.signalCode ?? `code ${child.exitCode}`}`);
  if (Date.now() > deadline) throw new Error(`not ready after ${START_TIMEOUT_MS / 1000} s`);
}

async function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
  await exit;
  clearTimeout(timer);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
