import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

export type Env = Record<string, string | undefined>;

/** Full path of a program found on PATH, or null. Relative PATH entries are passed over, so that the working folder cannot supply a program. */
export async function findOnPath(name: string, env: Env): Promise<string | null> {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)) {
    for (const suffix of suffixes) {
      const path = join(folder, name + suffix);
      if (await isExecutable(path)) return path;
    }
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

export type CommandResult = {
  ok: boolean;
  stdout: string;
  /** Last lines of stderr or stdout, for messages. */ trouble: string;
};

/** Runs a program to its end (killed after `timeoutMs`); a failure is a result, not an exception. */
export function runCommand(
  path: string,
  args: string[],
  options: { env: Env; cwd?: string; timeoutMs: number },
): Promise<CommandResult> {
  return new Promise((settle) => {
    const settings = {
      env: options.env,
      cwd: options.cwd,
      timeout: options.timeoutMs,
      maxBuffer: 16 << 20,
      windowsHide: true,
    };
    // So that leaving in the middle of a fetch leaves no program behind.
    const killWithUs = () => void child.kill();
    const child = execFile(path, args, settings, (error, stdout, stderr) => {
      process.off('exit', killWithUs);
      const said = lastLines(stderr || stdout) || (error?.message ?? '');
      const trouble = error?.killed ? `no end after ${options.timeoutMs / 1000} s` : said;
      settle({ ok: error === null, stdout, trouble: withoutCredentials(trouble) });
    });
    process.once('exit', killWithUs);
  });
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' ').trim().slice(-400);
}

/** Addresses of package indexes and proxies may hold a user name and password. */
function withoutCredentials(said: string): string {
  return said.replace(/\/\/[^/\s@]+@/g, '//');
}
