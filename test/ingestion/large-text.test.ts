import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fakeEmbedding } from './fake-embedding.ts';
import { historiesOf } from './histories.ts';
import { openHouse, startStack } from './stack.ts';
import type { House, Stack } from './stack.ts';

let stack: Stack;
let house: House;

beforeAll(async () => {
  stack = await startStack();
  house = await openHouse(stack, { embedding: { ...fakeEmbedding(), maxTokens: 8192 } });
});
afterAll(async () => {
  await house?.close();
  await stack?.close();
});

test('a text of 12 MB is taken in whole, without its text in the history or a pause in the worker', async () => {
  const tenant = house.tenant();
  const paragraph = (n: number) =>
    `Entry ${n} of the register tells of item i${n}, ${'and of what is known about it '.repeat(60)}.`;
  let text = '';
  for (let n = 0; text.length < 12_000_000; n++) text += `${paragraph(n)}\n\n`;

  let longestPause = 0;
  let before = performance.now();
  const watch = setInterval(() => {
    longestPause = Math.max(longestPause, performance.now() - before);
    before = performance.now();
  }, 20);
  const handle = await tenant.start(
    { files: [await tenant.file('register.txt', text)] },
    { targetTokens: 2000, overlapTokens: 0 },
  );
  const report = await handle.result();
  clearInterval(watch);

  expect(report.counts.ready).toBe(1);
  expect(report.counts.passages).toBeGreaterThan(1000);
  expect(await tenant.found('i3000')).toEqual(['register.txt']);
  const stored = await house.index.documentText(tenant.access, 'register.txt');
  expect(stored?.length).toBe(text.trimEnd().length);
  expect(longestPause).toBeLessThan(2000);
  const [history] = await historiesOf(stack.env.client.workflow, handle.workflowId, handle.firstExecutionRunId);
  expect(history?.largestPayload).toBeGreaterThan(0);
  expect(history?.largestPayload).toBeLessThan(2000);
}, 120_000);
