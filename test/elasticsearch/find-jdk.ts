import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** What Elasticsearch 9 needs at least, to build the launcher and to run. */
export const OLDEST_JDK = 21;

export interface Jdk {
  home: string;
  major: number;
  /** The module `jdk.incubator.vector`, with which Lucene computes distances with SIMD. */
  hasVectorModule: boolean;
}

const USUAL_PLACES = [
  '/usr/lib/jvm/*',
  '/usr/java/*',
  '/opt/java/*',
  '/opt/jdk*',
  '/Library/Java/JavaVirtualMachines/*/Contents/Home',
  '/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home',
  join(homedir(), '.sdkman/candidates/java/*'),
  join(homedir(), '.jdks/*'),
  join(homedir(), '.local/share/mise/installs/java/*'),
  join(homedir(), '.asdf/installs/java/*'),
];

/** The JDK of `JAVA_HOME` if it is new enough, else the newest one in the usual places, else null. */
export function findJdk(): Jdk | null {
  const chosen = process.env.JAVA_HOME ? readJdk(process.env.JAVA_HOME) : null;
  if (chosen && chosen.major >= OLDEST_JDK) return chosen;
  const found = new Set(
    [...globSync(USUAL_PLACES), ...homesFromEnvironment()].filter(existsSync).map((h) => realpathSync(h)),
  );
  const usable = [...found].map(readJdk).filter((jdk): jdk is Jdk => jdk !== null && jdk.major >= OLDEST_JDK);
  return usable.sort((a, b) => b.major - a.major)[0] ?? null;
}

/** The path of a program on `PATH`, or null. */
export function findOnPath(program: string): string | null {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program));
  return candidates.find(isExecutable) ?? null;
}

/** CI images name their JDKs `JAVA_HOME_21_X64` and the like. */
function homesFromEnvironment(): string[] {
  const named = Object.entries(process.env).flatMap(([name, home]) =>
    /^JAVA_HOME_\d+/.test(name) && home ? [home] : [],
  );
  const javac = findOnPath('javac');
  const onPath = javac ? [dirname(dirname(realpathSync(javac)))] : [];
  return [...named, ...onPath, ...homeFromMacOs()];
}

function homeFromMacOs(): string[] {
  const tool = '/usr/libexec/java_home';
  if (!isExecutable(tool)) return [];
  try {
    return [
      execFileSync(tool, ['-v', `${OLDEST_JDK}+`], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
    ];
  } catch {
    return []; // it exits with 1 when it knows no such JDK
  }
}

/** Reads `release`, the properties file that every JDK has since 9; a folder without it or without a compiler is no JDK. */
function readJdk(home: string): Jdk | null {
  const release = join(home, 'release');
  if (!existsSync(release) || !isExecutable(join(home, 'bin', 'javac'))) return null;
  const text = readFileSync(release, 'utf8');
  const major = /^JAVA_VERSION="(\d+)/m.exec(text)?.[1];
  if (!major) return null;
  return { home, major: Number(major), hasVectorModule: /^MODULES=.*\bjdk\.incubator\.vector\b/m.test(text) };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
