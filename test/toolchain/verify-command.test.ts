import { afterEach, describe, expect, test } from '@jest/globals';
import { makeMiniProject } from './mini-project.ts';

const says = (text: string, code = 0) => `node -e "console.log('${text}'); process.exitCode = ${code}"`;
const green = {
  'format:check': says('all formatted'),
  lint: says('nothing found'),
  types: says('sound'),
  imports: says('no arrows'),
  'dead-exports': says('all used'),
  test: says('3 passed, 0 failed'),
};

describe('npm run verify', () => {
  let project: Awaited<ReturnType<typeof makeMiniProject>>;
  afterEach(() => project.remove());

  async function verify(scripts: Record<string, string>) {
    project = await makeMiniProject({ 'package.json': JSON.stringify({ type: 'module', scripts }) });
    const { code, output } = await project.run('scripts/verify.ts');
    return { code, lines: output.trimEnd().split('\n') };
  }

  test('says one line per step that holds, and ends with the counts of the tests', async () => {
    const { code, lines } = await verify(green);
    expect(code).toBe(0);
    expect(lines.slice(0, -1).map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['ok', 'format:check'],
      ['ok', 'lint'],
      ['ok', 'types'],
      ['ok', 'imports'],
      ['ok', 'dead-exports'],
    ]);
    expect(lines.at(-1)).toBe('3 passed, 0 failed');
  });

  test.each(['format:check', 'lint', 'types', 'imports', 'dead-exports'])(
    'shows what %s found, still runs the rest, and fails',
    async (script) => {
      const { code, lines } = await verify({ ...green, [script]: says('a finding', 2) });
      expect(code).toBe(1);
      expect(lines).toContain('a finding');
      expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(4);
      expect(lines.at(-1)).toBe('3 passed, 0 failed');
    },
  );

  test('fails when only the tests fail', async () => {
    const { code, lines } = await verify({ ...green, test: says('2 passed, 1 failed', 1) });
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe('2 passed, 1 failed');
  });
});
