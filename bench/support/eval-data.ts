import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

const packageRoot = resolve(import.meta.dirname, '..', '..');

/** The folder with public evaluation data, PLUMBLINE_EVAL_DATA: it lies outside the project and nothing of it is copied into it. */
const evalDataFolder = resolve(packageRoot, process.env['PLUMBLINE_EVAL_DATA'] || '../shared/data');

/** Path of a data set; null when it is not there. */
export function dataSet(name: string): string | null {
  const path = join(evalDataFolder, name);
  return existsSync(path) ? path : null;
}

export const howToGetData = 'no such data set; PLUMBLINE_EVAL_DATA names the folder with them (docs/benchmarks.md)';

/** JSON Lines, gzipped or not. */
export async function readJsonLines<T>(path: string): Promise<T[]> {
  const bytes = await readFile(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
