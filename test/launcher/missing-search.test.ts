import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { modelFindings } from '../../launcher/doctor-models.ts';
import { tellMissingSearch } from '../../launcher/missing-search.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();

function house(): string {
  const dir = newFolder();
  const web = JSON.parse(readFileSync(new URL('../../policies/web.json', import.meta.url), 'utf8')) as object;
  writeFileSync(join(dir, 'house.json'), JSON.stringify({ ...web, name: 'house' }));
  return dir;
}

async function told(env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  await tellMissingSearch(loadSettings(env), (line) => lines.push(line));
  return lines;
}

describe('a policy that allows the web where nothing can search it', () => {
  test('is told at the start when it is one’s own or that of questions that name none', async () => {
    expect(await told({})).toEqual([]);
    expect(await told({ PLUMBLINE_POLICY: 'web' })).toEqual([
      'Policy web allows the web, but nothing is set up to search it: set TAVILY_API_KEY or SEARXNG_URL (docs/web.md).',
    ]);
    const dir = house();
    expect(await told({ PLUMBLINE_POLICIES: dir })).toEqual([expect.stringContaining('Policy house allows the web')]);
    expect(await told({ PLUMBLINE_POLICIES: dir, PLUMBLINE_POLICY: 'house' })).toHaveLength(1);
    expect(await told({ PLUMBLINE_POLICY: 'web', TAVILY_API_KEY: 'k' })).toEqual([]);
    expect(await told({ PLUMBLINE_POLICY: 'web', SEARXNG_URL: 'http://search.example' })).toEqual([]);
  });

  test('troubles the doctor only when it is the policy of questions that name none', async () => {
    const finding = async (env: Record<string, string>) =>
      (await modelFindings(loadSettings(env))).find(({ check }) => check === 'Web search');
    expect(await finding({})).toMatchObject({ ok: true, detail: 'not set up; policies that would use it: web' });
    expect(await finding({ PLUMBLINE_POLICY: 'web' })).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('TAVILY_API_KEY or SEARXNG_URL'),
    });
    const both = { TAVILY_API_KEY: 'k', SEARXNG_URL: 'http://search.example' };
    expect(await finding({ PLUMBLINE_POLICY: 'web', ...both })).toMatchObject({
      ok: true,
      detail: 'Tavily, then SearXNG',
    });
  });
});

describe('the rate of web searches', () => {
  test.each([
    ['', 10],
    ['2.5', 2.5],
  ])('%p is %d a second', (text, expected) => {
    expect(loadSettings({ PLUMBLINE_WEB_PER_SECOND: text }).web.webPerSecond).toBe(expected);
  });
  test.each(['0', 'many', '-1', '1e3'])('%p is none', (text) => {
    expect(() => loadSettings({ PLUMBLINE_WEB_PER_SECOND: text })).toThrow('PLUMBLINE_WEB_PER_SECOND');
  });
});
