import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

describe('a process that uses the local model', () => {
  test('ends with its own status although threads are busy, without aborting', async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'exit-while-embedding.ts')], {
        stdio: 'ignore',
      });
      expect(await once(child, 'exit')).toEqual([3, null]);
    }
  });
});
