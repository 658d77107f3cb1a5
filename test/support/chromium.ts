import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from '@jest/globals';

/** The browser found on PATH, or null. */
export function chromiumPath(): string | null {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable) ?? null;
}

/** Skips, saying why, where there is no browser; on a CI machine that is a failure. */
export function describeWithChromium(name: string, tests: (path: string) => void): void {
  const path = chromiumPath();
  if (path !== null) describe(name, () => tests(path));
  else if (process.env['CI'] === 'true') throw new Error('these tests need Chromium on PATH');
  else describe.skip(`${name} (skipped: no Chromium on PATH)`, () => tests(''));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
