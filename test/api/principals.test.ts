import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PrincipalsFileError } from '../../api/principals-file.ts';
import { loadPrincipals } from '../../api/principals.ts';
import { ownerTokenPath } from '../../client/owner-token.ts';

let dataDir: string;
let file: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'plumbline-principals-'));
  file = join(dataDir, 'people.json');
});
afterEach(() => rm(dataDir, { recursive: true }));

const token = 'a-token-of-some-length';
const access = { tenant: 'alder', user: 'ann', groups: ['staff'] };
const load = async (entries: unknown) => {
  await writeFile(file, typeof entries === 'string' ? entries : JSON.stringify(entries));
  return loadPrincipals({ dataDir, file });
};

describe('the token of the owner', () => {
  test('is made at the first start, only for the eyes of this user, and stays', async () => {
    const first = await loadPrincipals({ dataDir, file: null });
    const path = ownerTokenPath(dataDir);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toBe(first.token);
    expect(first.token.length).toBeGreaterThanOrEqual(43);
    const second = await loadPrincipals({ dataDir, file: null });
    expect(second.token).toBe(first.token);
    const owner = { tenant: 'main', user: 'owner', groups: ['staff'], roles: ['reviewer', 'operator'] };
    expect(second.find(first.token)).toEqual(owner);
  });

  test('is another one in another data folder', async () => {
    const other = await mkdtemp(join(tmpdir(), 'plumbline-principals-'));
    const tokens = await Promise.all([dataDir, other].map((dir) => loadPrincipals({ dataDir: dir, file: null })));
    await rm(other, { recursive: true });
    expect(tokens[0]?.token).not.toBe(tokens[1]?.token);
    expect(tokens[0]?.find(tokens[1]?.token ?? '')).toBeNull();
  });

  test('is one, when two processes start at the same moment', async () => {
    const both = await Promise.all([loadPrincipals({ dataDir, file: null }), loadPrincipals({ dataDir, file: null })]);
    expect(both[0].token).toBe(both[1].token);
  });

  test('that was emptied is refused with what to do, never taken as a token', async () => {
    await writeFile(ownerTokenPath(dataDir), '\n');
    await expect(loadPrincipals({ dataDir, file: null })).rejects.toThrow(/holds no token; delete it/);
  });
});

describe('a principals file', () => {
  test('knows people by their token or by its hash', async () => {
    const tokenSha256 = createHash('sha256').update('another-token-of-length').digest('hex').toUpperCase();
    const principals = await load([
      { token, ...access },
      { tokenSha256, tenant: 'birch', user: 'bob', groups: [], roles: ['reviewer'] },
    ]);
    expect(principals.find(token)).toEqual({ ...access, roles: [] });
    const bob = { tenant: 'birch', user: 'bob', groups: [], roles: ['reviewer'] };
    expect(principals.find('another-token-of-length')).toEqual(bob);
    expect(principals.find(tokenSha256)).toBeNull();
    expect(principals.find(`${token} `)).toBeNull();
    expect(principals.find('')).toBeNull();
  });

  test.each<[string, unknown, RegExp]>([
    ['no JSON', '[{"token": "a-token-of-some-length"', /^people\.json: not valid JSON$/],
    ['no list', { token }, /^people\.json: \(whole file\): /],
    ['a short token', [{ token: 'short', ...access }], /^people\.json: 0\.token: Too small/],
    ['a hash that is none', [{ tokenSha256: 'zz', ...access }], /^people\.json: 0\.tokenSha256: /],
    ['a tenant with capitals', [{ token, ...access, tenant: 'Alder' }], /^people\.json: 0\.tenant: a tenant is 1–63/],
    ['neither token nor hash', [access], /^people\.json: 0: expected \{ token/],
    ['no groups', [{ token, tenant: 'alder', user: 'ann' }], /^people\.json: 0/],
    ['a misspelt field', [{ token, ...access, gruops: [] }], /^people\.json: 0: Unrecognized key: "gruops"/],
    [
      'one token twice',
      [
        { token, ...access },
        { token, ...access, tenant: 'birch' },
      ],
      /^people\.json: two entries have the same token$/,
    ],
  ])('with %s is refused, without showing a token', async (_name, entries, message) => {
    const error = await load(entries).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PrincipalsFileError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain(token);
  });

  test('that is not there is refused', async () => {
    await expect(loadPrincipals({ dataDir, file: join(dataDir, 'none.json') })).rejects.toThrow(/^none\.json: ENOENT/);
  });
});
