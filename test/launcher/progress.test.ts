import { describe, expect, test } from '@jest/globals';
import { showProgress } from '../../launcher/progress.ts';

function written(isTTY: boolean) {
  const texts: string[] = [];
  return { texts, output: { isTTY, write: (text: string) => texts.push(text) } };
}

describe('progress of a fetch', () => {
  test('in a log is one line at the start and one at the end, with size and time', () => {
    const { texts, output } = written(false);
    const progress = showProgress('thing 1.0', 44_500_000, output);
    progress.update(1_000_000);
    progress.end('done');
    expect(texts.join('')).toMatch(
      /^Fetching thing 1\.0 \(44\.5 MB\) …\nFetched thing 1\.0 \(44\.5 MB, \d+\.\d s\)\n$/,
    );
  });

  test('on a terminal is a live line that ends as a plain one', async () => {
    const { texts, output } = written(true);
    const progress = showProgress('thing 1.0', 44_500_000, output);
    progress.update(12_300_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    progress.end('failed');
    expect(texts.some((text) => text.startsWith('\r') && text.includes('12.3 of 44.5 MB'))).toBe(true);
    expect(texts.at(-1)).toMatch(/Could not fetch thing 1\.0 .*\n$/);
  });
});
