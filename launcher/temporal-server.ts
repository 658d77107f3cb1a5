import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from './errors.ts';
import type { Env } from './executables.ts';
import { requireFreePort, temporalPorts } from './ports.ts';
import { endProcess } from './process-identity.ts';
import type { TemporalCli } from './temporal-binary.ts';
import { forgetTemporalProcess, noteTemporalProcess } from './temporal-orphan.ts';
import { temporalReady } from './temporal-ready.ts';
import type { SearchAttributeType } from './temporal-ready.ts';

export type TemporalServerOptions = {
  cli: TemporalCli;
  /** Prepared by prepareDataDir and locked; holds the database, the log and the note of the process. */
  dataDir: string;
  port: number;
  uiPort: number;
  namespace: string;
  searchAttributes: Record<string, SearchAttributeType>;
  /** Called at most once, when the server ends without `stop`. */
  onExit: (exit: { how: string; logTail: string }) => void;
  /** How long the server may take to serve, in ms. */
  startTimeoutMs?: number;
  env?: Env;
};

export type TemporalServer = {
  pid: number;
  address: string;
  uiUrl: string;
  logFile: string;
  /** From spawn to serving. */
  startedInMs: number;
  /** SIGTERM, and SIGKILL after `graceMs` (10 s); resolves when the process is gone. Safe to call again. */
  stop: (graceMs?: number) => Promise<void>;
};

/**
 * The dev server reads its one history shard's transfer queue 20 times a second, so each step of a run waits up to 50 ms; 2,000 takes that away.
 * Eager execution hands an activity to the worker that asked for it. Fairness lets `priority.fairnessKey` order a backlog by tenant.
 */
const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': 2000,
  'system.enableActivityEagerExecution': true,
  'matching.enableFairness': true,
};

/** Write-ahead log with a full sync at each commit: faster than the default journal, and a power cut loses nothing that was confirmed. */
const sqlitePragmas = { journal_mode: 'wal', synchronous: 2 };

/**
 * Starts Temporal's dev server in a process group of its own, so that Ctrl-C reaches us and not it: we drain the worker first and then call `stop`.
 * Resolves when it serves the namespace and knows the search attributes.
 * @throws LauncherError `Port.Taken`, or `Temporal.StartFailed` with the last lines of its log
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  await requireFreePort({ ...temporalPorts.server, port: options.port });
  await requireFreePort({ ...temporalPorts.ui, port: options.uiPort });
  const started = performance.now();
  const logFile = join(options.dataDir, 'logs', 'temporal.log');
  rotate(logFile);
  const logStart = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const said = () => tail(logFile, logStart);
  const failed = (why: string) => startFailed(why, logFile, said());
  const { child, pid, mark } = launch(options, logFile);
  const giveUp = new AbortController();
  let phase: 'starting' | 'serving' | 'stopping' = 'starting';
  // For an end of this process that skips `stop`, as an uncaught error does.
  const endWithUs = () => void child.kill();
  process.once('exit', endWithUs);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      process.off('exit', endWithUs);
      forgetTemporalProcess(options.dataDir);
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      if (phase === 'starting') giveUp.abort(failed(`it ended with ${how}`));
      if (phase === 'serving') options.onExit({ how, logTail: said() });
      resolve();
    });
  });
  const stop = async (graceMs = 10_000) => {
    phase = 'stopping';
    await endProcess(pid, mark, graceMs);
    await ended;
  };
  const limit = options.startTimeoutMs ?? 30_000;
  const timer = setTimeout(() => giveUp.abort(failed(`it did not serve within ${limit / 1000} s`)), limit);
  const address = `127.0.0.1:${options.port}`;
  try {
    const { namespace, searchAttributes } = options;
    await temporalReady({ address, namespace, searchAttributes }, giveUp.signal);
    giveUp.signal.throwIfAborted();
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  phase = 'serving';
  const startedInMs = Math.round(performance.now() - started);
  return { pid, address, uiUrl: `http://127.0.0.1:${options.uiPort}`, logFile, startedInMs, stop };
}

function launch(options: TemporalServerOptions, logFile: string): { child: ChildProcess; pid: number; mark: string } {
  const log = openSync(logFile, 'a');
  const child = spawn(options.cli.path, serverArguments(options), {
    cwd: options.dataDir,
    // TEMPORAL_* variables are meant for clients and would change the server's own command line.
    env: Object.fromEntries(
      Object.entries(options.env ?? process.env).filter(([name]) => !name.startsWith('TEMPORAL_')),
    ),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // Without a listener a failed spawn would end the process; the pid says it already.
  child.once('error', () => undefined);
  const mark = child.pid === undefined ? null : noteTemporalProcess(options.dataDir, child.pid);
  if (child.pid === undefined || mark === null) throw startFailed(`${options.cli.path} could not be run`, logFile, '');
  return { child, pid: child.pid, mark };
}

function serverArguments(options: TemporalServerOptions): string[] {
  const pairs = (flag: string, values: Record<string, string | number | boolean>) =>
    Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', `${options.port}`, '--ui-port', `${options.uiPort}`],
    ...['--namespace', options.namespace, '--db-filename', join(options.dataDir, 'temporal.db')],
    ...['--log-level', 'error', '--color', 'never'],
    ...pairs('--search-attribute', options.searchAttributes),
    ...pairs('--dynamic-config-value', dynamicConfig),
    ...pairs('--sqlite-pragma', sqlitePragmas),
  ];
}

function startFailed(why: string, logFile: string, said: string): LauncherError {
  return new LauncherError(
    'Temporal.StartFailed',
    `The Temporal server did not start: ${why}.${said === '' ? '' : `\n${said}`}`,
    {
      remedy: `Read ${logFile}; a damaged temporal.db beside it can be moved away (the runs in it are then gone).`,
    },
  );
}

function tail(logFile: string, start: number): string {
  return readFileSync(logFile).subarray(start).toString('utf8').trimEnd().split('\n').slice(-5).join('\n').slice(-1500);
}

function rotate(logFile: string): void {
  const tooBig = 10 << 20;
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > tooBig) renameSync(logFile, `${logFile}.1`);
}
