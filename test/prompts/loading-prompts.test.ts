import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { promptNames } from '../../domain/prompting/prompts.ts';
import { loadPrompts, parsePrompt, PromptFileError } from '../../prompts/load.ts';
import { lockOf, promptLockSchema, unraised } from '../../prompts/lock.ts';

const shipped = new URL('../../prompts/', import.meta.url);
const grade = (change: (text: string) => string = (text) => text) =>
  change('---\nname: grade\nversion: 1.0.0\n---\n\n# system\n\nYou grade.\n\n# user\n\n{{nonce}}\n');

describe('loading prompts', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plumbline-prompts-'));
    await cp(shipped, dir, { recursive: true });
  });
  afterEach(() => rm(dir, { recursive: true }));

  test('every kind of call has a prompt, known by its name', async () => {
    const prompts = await loadPrompts(dir);
    expect(Object.keys(prompts).sort()).toEqual([...promptNames].sort());
    for (const name of promptNames) expect(prompts[name]).toMatchObject({ name });
  });

  test('a prompt that is not there is named', async () => {
    await rm(join(dir, 'refine.md'));
    await expect(loadPrompts(dir)).rejects.toThrow(/^refine\.md: cannot be read/);
  });

  test('a wrong file is refused with its name', async () => {
    await writeFile(
      join(dir, 'grade.md'),
      grade((text) => text.replace('1.0.0', 'one')),
    );
    await expect(loadPrompts(dir)).rejects.toThrow(PromptFileError);
    await expect(loadPrompts(dir)).rejects.toThrow('grade.md: version: a version is three numbers: 1.0.0');
  });

  test('the two parts are read without the white space around them', () => {
    expect(parsePrompt('grade.md', grade())).toEqual({
      name: 'grade',
      version: '1.0.0',
      system: 'You grade.',
      user: '{{nonce}}',
    });
  });

  test.each([
    ['no user part', grade((text) => text.replace('# user', '## user')), 'expected front matter'],
    ['an empty part', grade((text) => text.replace('You grade.', '')), 'a part is empty'],
    ['a placeholder in the system part', grade((text) => text.replace('You', '{{who}}')), 'no placeholders there'],
    ["another file's name", grade((text) => text.replace('name: grade', 'name: refine')), '"refine" is another file'],
    ['an unknown field', grade((text) => text.replace('version', 'colour: red\nversion')), 'Unrecognized key'],
    ['broken front matter', grade((text) => text.replace('version: ', 'version: "')), 'front matter is not YAML'],
  ])('%s is refused', (_, content, message) => {
    expect(() => parsePrompt('grade.md', content)).toThrow(message);
  });
});

describe('the lock', () => {
  const one = { name: 'grade', version: '1.2.0', system: 'a', user: 'b' };
  const lock = lockOf([one]);

  test("the shipped prompts are the locked ones: after a change raise the prompt's version and run `node scripts/lock-prompts.ts`", async () => {
    const locked = promptLockSchema.parse(JSON.parse(await readFile(new URL('versions.json', shipped), 'utf8')));
    expect(lockOf(Object.values(await loadPrompts()))).toEqual(locked);
  });

  test.each([
    ['the same text', {}, []],
    ['a changed text with its version', { user: 'c', version: '1.2.1' }, []],
    ['a version that grew past nine', { user: 'c', version: '1.10.0' }, []],
    ['a raised version alone', { version: '2.0.0' }, []],
    ['a changed text', { user: 'c' }, ['grade']],
    ['a changed system part', { system: 'c' }, ['grade']],
    ['text moved from one part to the other', { system: 'ab', user: '' }, ['grade']],
    ['a changed text with a lower version', { user: 'c', version: '1.1.9' }, ['grade']],
    ['a lowered version alone', { version: '1.1.0' }, ['grade']],
    ['a new prompt', { name: 'refine' }, []],
  ])('%s', (_, change, refused) => {
    expect(unraised([{ ...one, ...change }], lock)).toEqual(refused);
  });
});
