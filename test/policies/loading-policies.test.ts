import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { PolicyFileError, loadAllPolicies, loadPolicies } from '../../policies/load.ts';

let dir: string;
let good: Record<string, unknown>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plumbline-policies-'));
  good = JSON.parse(await readFile(new URL('../../policies/default.json', import.meta.url), 'utf8'));
});
afterEach(() => rm(dir, { recursive: true }));

const write = (name: string, content: unknown) =>
  writeFile(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
const refusal = async () => {
  const error = await loadPolicies(dir).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PolicyFileError);
  return (error as PolicyFileError).message.replaceAll(basename(dir), 'policies');
};

test('the shipped policies are all valid, and the default is among them', async () => {
  expect([...(await loadPolicies()).keys()]).toContain('default');
});

test('policies are known by their names, and other files are left alone', async () => {
  await write('a.json', { ...good, name: 'cautious' });
  await write('b.json', good);
  await write('README.md', 'about policies');
  const policies = await loadPolicies(dir);
  expect([...policies.keys()]).toEqual(['cautious', 'default']);
  expect(policies.get('cautious')).toMatchObject({ ...good, name: 'cautious' });
});

test('those of an own folder stand beside the shipped ones', async () => {
  await write('a.json', { ...good, name: 'cautious' });
  const names = [...(await loadAllPolicies(dir)).keys()];
  expect(names).toEqual(
    expect.arrayContaining(['default', 'anthropic', 'openai', 'openai-compatible', 'web', 'cautious']),
  );
  expect([...(await loadAllPolicies(null)).keys()]).not.toContain('cautious');
});

test('one of an own folder may not take a shipped name', async () => {
  await write('a.json', { ...good, name: 'default' });
  await expect(loadAllPolicies(dir)).rejects.toThrow('"default" belongs to a shipped policy');
});

test('a folder that is not there is named', async () => {
  await expect(loadAllPolicies(join(dir, 'nowhere'))).rejects.toThrow(PolicyFileError);
  await expect(loadAllPolicies(join(dir, 'nowhere'))).rejects.toThrow('nowhere: cannot be read');
});

test('where one provider both writes and checks, it does so by different models, and what costs has a ceiling', async () => {
  for (const { name, models, budget } of (await loadPolicies()).values()) {
    if (models.generate.provider !== 'anthropic' && models.generate.provider !== 'openai') continue;
    expect({ name, check: models.check.model }).not.toEqual({ name, check: models.generate.model });
    expect({ name, ceiling: budget.maxCostUsd }).toEqual({ name, ceiling: expect.any(Number) });
  }
});

test('a wrong field is refused with its path', async () => {
  await write('default.json', { ...good, verdict: { rule: 'any-above', correct: 'high', incorrect: 0.3 } });
  expect(await refusal()).toBe('policies/default.json: verdict.correct: expected number');
});

test('all wrong fields are told: missing, unknown and out of range', async () => {
  const { tiers: _, ...rest } = good;
  await write('default.json', { ...rest, colour: 'red', version: -1 });
  expect((await refusal()).split('\n').sort()).toEqual([
    expect.stringContaining('policies/default.json: (whole file): Unrecognized key: "colour"'),
    'policies/default.json: tiers: expected array',
    expect.stringContaining('policies/default.json: version: '),
  ]);
});

test('a file that is no JSON, two files of one name and an empty folder are refused', async () => {
  expect(await refusal()).toBe('policies: there is no policy file (*.json) in this folder');
  await write('a.json', good);
  await write('b.json', good);
  expect(await refusal()).toBe('policies/b.json: name: "default" is taken by another file');
  await write('a.json', '{');
  expect(await refusal()).toMatch(/^policies\/a\.json: not valid JSON: /);
});
