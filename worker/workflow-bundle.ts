import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { glob } from 'tinyglobby';

const root = join(import.meta.dirname, '..');

/**
 * The workflows as one script for the worker's sandbox. Bundling takes seconds, so the result is kept in `cacheDir` under a hash of all
 * sources and of the SDK's version.
 */
export async function workflowBundle(cacheDir: string): Promise<{ code: string }> {
  const file = join(cacheDir, `workflows-${await sourceHash()}.js`);
  try {
    return { code: await readFile(file, 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(root, 'workflows', 'index.ts'),
    logger: quiet,
  });
  await mkdir(cacheDir, { recursive: true });
  const partial = `${file}.${randomUUID()}`;
  await writeFile(partial, code);
  await rename(partial, file);
  return { code };
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string };
  hash.update(version);
  const files = await glob(['workflows/**/*.ts', 'domain/**/*.ts'], { cwd: root, absolute: true });
  for (const file of files.sort()) hash.update(relative(root, file)).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

/** Webpack's own report says nothing that a person could act on; errors are thrown. */
const quiet = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
