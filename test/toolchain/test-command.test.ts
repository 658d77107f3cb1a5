import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { makeMiniProject } from './mini-project.ts';

const file = (body: string) => `import { expect, test } from '@jest/globals';\n${body}\n`;
const passing = file("test('adds', () => expect(1 + 1).toBe(2));");

describe('npm test', () => {
  let project: Awaited<ReturnType<typeof makeMiniProject>>;
  afterEach(() => project.remove());

  async function runTests(files: Record<string, string>) {
    project = await makeMiniProject(files);
    const { code, output } = await project.run('scripts/test.ts');
    return { code, output, lastLine: output.trimEnd().split('\n').at(-1) };
  }

  test('says one line per passing file, and the counts last', async () => {
    const { code, output, lastLine } = await runTests({
      'test/domain/a.test.ts': passing,
      'test/e2e/b.test.ts': file(
        "test('runs', () => expect(1).toBe(1));\ntest.skip('waits', () => expect(1).toBe(2));",
      ),
    });
    expect(code).toBe(0);
    expect(lastLine).toBe('2 passed, 0 failed, 1 skipped');
    expect(output.trimEnd().split('\n')).toHaveLength(3);
  });

  test('shows a failure with what the file wrote, and fails', async () => {
    const { code, output, lastLine } = await runTests({
      'test/domain/a.test.ts': passing,
      'test/domain/b.test.ts': file("test('subtracts', () => { console.log('seen'); expect(3 - 1).toBe(1); });"),
    });
    expect(code).toBe(1);
    expect(lastLine).toBe('1 passed, 1 failed');
    expect(output).toMatch(/FAIL {2}test\/domain\/b\.test\.ts[^]*subtracts[^]*Expected: 1[^]*console\.log: seen/);
  });

  test('counts a file that cannot be loaded as a failure', async () => {
    const { code, output, lastLine } = await runTests({
      'test/domain/a.test.ts': passing,
      'test/domain/b.test.ts': "import '../../domain/nowhere.ts';\n",
    });
    expect(code).toBe(1);
    expect(lastLine).toBe('1 passed, 1 failed');
    expect(output).toContain('nowhere.ts');
  });

  test('fails when a test leaves something running', async () => {
    const leaking = file("test('starts', () => expect(setInterval(() => 0, 1000)).toBeDefined());");
    const { code, output } = await runTests({ 'test/domain/a.test.ts': passing, 'test/e2e/b.test.ts': leaking });
    expect(code).toBe(1);
    expect(output).toContain('failed to exit gracefully');
  });

  test('runs the heavy kinds one file at a time, and no light one beside them', async () => {
    const timed = file(
      `import { appendFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { basename } from 'node:path';
      test('takes a while', async () => {
        const name = basename(expect.getState().testPath ?? '');
        appendFileSync('log', 'start ' + name + '\\n');
        await setTimeout(400);
        appendFileSync('log', 'end ' + name + '\\n');
        expect(name).not.toBe('');
      });`,
    );
    const kinds = ['e2e/a', 'stack/b', 'browser/c', 'domain/d', 'domain/e'];
    const { code } = await runTests(Object.fromEntries(kinds.map((path) => [`test/${path}.test.ts`, timed])));
    expect(code).toBe(0);
    const log = (await readFile(join(project.folder, 'log'), 'utf8')).trim().split('\n');
    const first = log.findIndex((line) => / [abc]\./.test(line));
    const heavy = log.slice(first, first + 6);
    for (let i = 0; i < 6; i += 2) {
      expect(heavy[i]).toMatch(/^start [abc]\./);
      expect(heavy[i + 1]).toBe(heavy[i]?.replace('start', 'end'));
    }
  });
});
