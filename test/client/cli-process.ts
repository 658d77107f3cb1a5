import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
export const entry = join(root, 'bin', 'plumbline.js');

export interface CliRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `plumbline` as a person would, without a terminal; only the variables given are set for it. */
export async function plumbline(
  args: string[],
  { env = {}, nodeArgs = [], cwd = root }: { env?: Record<string, string>; nodeArgs?: string[]; cwd?: string } = {},
): Promise<CliRun> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, entry, ...args], {
    env: { PATH, HOME, ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exitCode = await new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  return { exitCode, stdout, stderr };
}
