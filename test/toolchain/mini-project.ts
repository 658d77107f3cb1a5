import { spawn } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const configuration = [
  'package.json',
  'tsconfig.json',
  'eslint.config.js',
  '.dependency-cruiser.mjs',
  'jest.config.js',
];

export interface ToolRun {
  code: number | null;
  output: string;
}

/** A folder with the project's own configuration and packages, but only the given files (path → text) as its sources. */
export async function makeMiniProject(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-toolchain-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  for (const name of configuration) await copyFile(join(root, name), join(folder, name));
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return {
    folder,
    /** Runs a script of the project or of a package (`node_modules/…`) on the Node that runs the tests. */
    run: (script: string, ...args: string[]) => runIn(folder, [script, ...args]),
    remove: () => rm(folder, { recursive: true }),
  };
}

function runIn(cwd: string, args: string[]): Promise<ToolRun> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', fail);
    child.on('close', (code) => done({ code, output }));
  });
}
