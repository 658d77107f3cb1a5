import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { modelFindings } from '../../launcher/doctor-models.ts';
import { LauncherError } from '../../launcher/errors.ts';
import { openPolicies, tellMissingModels } from '../../launcher/policies.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();
const shipped = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../policies/${name}.json`, import.meta.url), 'utf8')) as Record<string, unknown>;

/** A folder with a policy of one's own: `of` under the name `house`. */
function house(of: string, changes: Record<string, unknown> = {}): string {
  const dir = newFolder();
  writeFileSync(join(dir, 'house.json'), JSON.stringify({ ...shipped(of), name: 'house', ...changes }));
  return dir;
}

async function told(env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  await tellMissingModels(loadSettings(env), (line) => lines.push(line));
  return lines;
}

async function refusal(env: Record<string, string>): Promise<LauncherError> {
  const error: unknown = await told(env).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof LauncherError)) throw new Error(`no LauncherError but ${String(error)}`);
  return error;
}

describe('at the start of a worker', () => {
  test('nothing is said of the shipped policies', async () => {
    expect(await told({})).toEqual([]);
  });

  test('a policy of the own folder whose key is missing gets one line, which names the roles', async () => {
    expect(await told({ PLUMBLINE_POLICIES: house('anthropic') })).toEqual([
      'Policy house: ANTHROPIC_API_KEY is not set; its roles grade, rewrite, generate, check cannot run. Other policies are unaffected.',
    ]);
    expect(await told({ PLUMBLINE_POLICIES: house('anthropic'), ANTHROPIC_API_KEY: 'k' })).toEqual([]);
  });

  test('a ceiling that cannot hold, for want of a price, is told of', async () => {
    const unknown = { provider: 'openai', model: 'not-in-any-list' };
    const models = { ...(shipped('openai')['models'] as object), generate: unknown };
    const env = { PLUMBLINE_POLICIES: house('openai', { models }), OPENAI_API_KEY: 'k' };
    expect(await told(env)).toEqual([
      'Policy house: its ceiling of 0.25 USD cannot hold: no price is known for openai/not-in-any-list. ' +
        'Name their prices in the file of PLUMBLINE_PRICES, as docs/providers.md shows it.',
    ]);
    expect(await modelFindings(loadSettings(env))).toContainEqual(
      expect.objectContaining({ check: 'Policy house', ok: false, detail: expect.stringContaining('cannot hold') }),
    );
  });

  test('a price file that cannot be used ends the start with its remedy', async () => {
    const prices = join(newFolder(), 'prices.json');
    writeFileSync(prices, '{');
    expect(
      await refusal({ PLUMBLINE_POLICIES: house('openai'), OPENAI_API_KEY: 'k', PLUMBLINE_PRICES: prices }),
    ).toMatchObject({ code: 'Settings.Invalid', remedy: expect.stringContaining('PLUMBLINE_PRICES') });
  });

  test('roles of several providers are told apart, a local pair model by its folder', async () => {
    const models = {
      ...(shipped('openai')['models'] as object),
      grade: { provider: 'local', model: 'cross-encoder' },
      check: { provider: 'anthropic', model: 'claude-haiku-5-5' },
    };
    const [line] = await told({ PLUMBLINE_POLICIES: house('openai', { models }) });
    expect(line).toContain('PLUMBLINE_CROSS_ENCODER_DIR is not set; its role grade cannot run.');
    expect(line).toContain('OPENAI_API_KEY is not set; its roles rewrite, generate cannot run.');
    expect(line).toContain('ANTHROPIC_API_KEY is not set; its role check cannot run.');
  });

  test('the policy of questions that name none must be able to run', async () => {
    const { code, message, remedy } = await refusal({ PLUMBLINE_POLICY: 'openai' });
    expect(code).toBe('Models.Unavailable');
    expect(message).toContain('Policy openai: OPENAI_API_KEY is not set');
    expect(remedy).toContain('PLUMBLINE_POLICY');
    expect(await told({ PLUMBLINE_POLICY: 'openai', OPENAI_API_KEY: 'k' })).toEqual([]);
  });

  test('and must be there: the known ones are named, those of the own folder too', async () => {
    const { code, message, remedy } = await refusal({
      PLUMBLINE_POLICY: 'reckless',
      PLUMBLINE_POLICIES: house('default'),
    });
    expect(code).toBe('Settings.Invalid');
    expect(message).toContain('reckless');
    for (const name of ['default', 'anthropic', 'house']) expect(remedy).toContain(name);
    await expect(openPolicies(loadSettings({ PLUMBLINE_POLICY: 'reckless' }))).rejects.toThrow('PLUMBLINE_POLICY');
  });
});

describe('the doctor', () => {
  const findings = (env: Record<string, string>) => modelFindings(loadSettings(env));
  const of = async (check: string, env: Record<string, string>) =>
    (await findings(env)).find((finding) => finding.check === check);

  test('tells of every policy what is missing, and is content', async () => {
    const all = await findings({ OPENAI_API_KEY: 'k-secret' });
    expect(all.filter(({ ok }) => !ok)).toEqual([]);
    expect(all.find(({ check }) => check === 'Policy anthropic')?.detail).toBe(
      'ANTHROPIC_API_KEY is not set; its roles grade, rewrite, generate, check cannot run. Other policies are unaffected.',
    );
    expect(all.find(({ check }) => check === 'Policy openai')?.detail).toContain('can run');
    expect(JSON.stringify(all)).not.toContain('secret');
  });

  test('is not content when it is the policy of questions that name none', async () => {
    expect(await of('Policy anthropic', { PLUMBLINE_POLICY: 'anthropic' })).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
    expect(await of('Policies', { PLUMBLINE_POLICY: 'reckless' })).toMatchObject({ ok: false });
  });

  test('names a wrong file among the own policies', async () => {
    const finding = await of('Policies', { PLUMBLINE_POLICIES: house('default', { version: 'one' }) });
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining('house.json: version') });
  });

  test('looks into the folders of local models and the price file', async () => {
    const dir = newFolder();
    const prices = join(dir, 'prices.json');
    writeFileSync(prices, '{');
    const env = { PLUMBLINE_CROSS_ENCODER_DIR: dir, PLUMBLINE_ENTAILMENT_DIR: dir, PLUMBLINE_PRICES: prices };
    for (const check of ['Cross-encoder', 'Entailment model', 'Prices'])
      expect(await of(check, env)).toMatchObject({ ok: false, remedy: expect.stringMatching(/\w/) });
    writeFileSync(prices, JSON.stringify({ currency: 'USD', per: 'million tokens', prices: [] }));
    for (const name of ['model.onnx', 'tokenizer.json']) writeFileSync(join(dir, name), '');
    writeFileSync(join(dir, 'config.json'), JSON.stringify({ id2label: { 0: 'entailment', 1: 'other' } }));
    expect(await of('Entailment model', env)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('entailment, other'),
    });
    expect(await of('Prices', env)).toMatchObject({ ok: true });
  });
});
