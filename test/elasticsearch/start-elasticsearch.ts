import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findJdk, findOnPath, OLDEST_JDK } from './find-jdk.ts';
import { startNode } from './node-process.ts';
import { buildServerHome, NO_MAVEN, serverHome } from './server-home.ts';
import type { Progress } from './server-home.ts';

const NO_JDK = `No JDK ${OLDEST_JDK} or newer was found (JAVA_HOME, PATH, /usr/lib/jvm and the like): install one, for instance Temurin, or point JAVA_HOME at it.`;

export interface ElasticsearchOptions {
  /** Indices and logs live here and stay; without it they live in a temporary folder that `stop` removes. */
  dataDir?: string;
  /** HTTP port on 127.0.0.1; a free one if absent. */
  port?: number;
  /** Java heap, as the JVM writes sizes. */
  heap?: string;
  /** For benchmarks and long use: the JVM compiles the code that is run most anew. */
  lasting?: boolean;
  /** Further node settings. */
  settings?: Record<string, string>;
  /** Hears what the first build does; by default it goes to standard error. */
  progress?: Progress;
}

export interface ElasticsearchServer {
  /** `http://127.0.0.1:PORT`, the same after `restart`. */
  url: string;
  /** Of the running node; changes with `restart`. */
  pid: () => number;
  dataDir: string;
  /** What the node printed. */
  logFile: string;
  /** Closes the node, waits for its process to end and removes a temporary data folder. The server cannot be used afterwards. */
  stop: () => Promise<void>;
  /** Ends the process with SIGKILL, as a crash would; the data stays. */
  kill: () => Promise<void>;
  /** Starts the node again on the same data and port, after closing it if it runs. */
  restart: () => Promise<void>;
}

/**
 * Why tests that need a real Elasticsearch must be skipped here, or null. With `CI=true` it is always null: there a missing
 * JDK fails the tests.
 */
export function elasticsearchUnavailable(): string | null {
  if (process.env.CI === 'true') return null;
  if (!findJdk()) return NO_JDK;
  return existsSync(serverHome()) || findOnPath('mvn') ? null : NO_MAVEN;
}

/**
 * Starts a real Elasticsearch of one node, without security, on 127.0.0.1, assembling it on first use. Resolves once it
 * serves and its indices are searchable. The node ends with this process, however this process ends.
 *
 * @throws Error with the remedy when a JDK or Maven is missing, or with the end of the node's log when it does not start
 */
export async function startElasticsearch(options: ElasticsearchOptions = {}): Promise<ElasticsearchServer> {
  const jdk = findJdk();
  if (!jdk) throw new Error(NO_JDK);
  const home = await buildServerHome(jdk, options.progress ?? printProgress);
  const dataDir = options.dataDir
    ? resolve(options.dataDir)
    : await mkdtemp(join(tmpdir(), 'plumbline-elasticsearch-'));
  const removeData = () => (options.dataDir ? Promise.resolve() : rm(dataDir, { recursive: true, force: true }));
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const node = {
    jdk,
    home,
    dataDir,
    heap: options.heap ?? '512m',
    lasting: options.lasting ?? false,
    settings: options.settings ?? {},
  };

  let running = await startNode({ ...node, port: options.port ?? 0 }).catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  const { port, logFile } = running;
  let stopped = false;
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => running.pid,
    dataDir,
    logFile,
    stop: async () => {
      stopped = true;
      await running.end('SIGTERM');
      await removeData();
    },
    kill: () => running.end('SIGKILL'),
    restart: async () => {
      if (stopped) throw new Error('This Elasticsearch was stopped for good: start another one.');
      await running.end('SIGTERM');
      running = await startNode({ ...node, port });
    },
  };
}

function printProgress(message: string): void {
  process.stderr.write(`[test elasticsearch] ${message}\n`);
}
