import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const read = async <T>(name: string) => JSON.parse(await readFile(resolve(root, name), 'utf8')) as T;

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}
interface Lock {
  packages: Record<string, { version: string; resolved?: string; hasInstallScript?: boolean }>;
}

describe('packages', () => {
  test('every version is exact', async () => {
    const { dependencies, devDependencies } = await read<Manifest>('package.json');
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, v]) => !/^\d+\.\d+\.\d+$/.test(v));
    expect(loose).toEqual([]);
  });

  test('the runtime is the Node 24 of package.json', async () => {
    const { dependencies } = await read<Manifest>('package.json');
    expect(process.version).toBe(`v${dependencies.node}`);
    expect(dependencies.node).toMatch(/^24\./);
  });

  test('the lockfile names no host to download from', async () => {
    const { packages } = await read<Lock>('package-lock.json');
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined)).toEqual([]);
  });

  test('every install script was looked at: allowed or refused by name', async () => {
    const { allowScripts } = await read<Manifest>('package.json');
    const { packages } = await read<Lock>('package-lock.json');
    const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
    const names = withScript.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect([...new Set(names)].sort()).toEqual(Object.keys(allowScripts).sort());
  });

  test("all of Temporal's packages have one version, so that their classes and messages are the same ones", async () => {
    const { packages } = await read<Lock>('package-lock.json');
    const temporal = Object.entries(packages).filter(([path]) => /(^|\/)node_modules\/@temporalio\/[^/]+$/.test(path));
    expect(new Set(temporal.map(([, { version }]) => version)).size).toBe(1);
  });

  test('what embedded mode needs loads here: full-text search, vectors, ONNX', async () => {
    const { DatabaseSync } = await import('node:sqlite');
    const { load } = await import('sqlite-vec');
    const { InferenceSession } = await import('onnxruntime-node');
    const database = new DatabaseSync(':memory:', { allowExtension: true });
    load(database);
    database.exec("create virtual table words using fts5(word); insert into words values ('plumb line')");
    expect(database.prepare("select count(*) as n from words where words match 'line'").get()).toEqual({ n: 1 });
    expect(database.prepare("select vec_distance_l2('[0,3]', '[4,0]') as d").get()).toEqual({ d: 5 });
    expect(typeof InferenceSession.create).toBe('function');
    database.close();
  });
});
