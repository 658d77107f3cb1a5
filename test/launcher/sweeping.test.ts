import { expect, test } from '@jest/globals';
import { sweepRegularly } from '../../launcher/sweep-regularly.ts';

test('what gathers is swept again and again, also after a sweep that failed, until it is ended', async () => {
  let sweeps = 0;
  const warnings: string[] = [];
  const third = Promise.withResolvers<void>();
  const end = sweepRegularly(
    [
      {
        what: 'expired evidence',
        sweep: async () => {
          sweeps += 1;
          if (sweeps === 1) throw new Error('the disk is full');
        },
      },
      { what: 'old files', sweep: async () => void (sweeps === 3 && third.resolve()) },
    ],
    { everyMs: 5, warn: (message) => warnings.push(message) },
  );
  await third.promise;
  await end();
  const atTheEnd = sweeps;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(sweeps).toBe(atTheEnd);
  expect(warnings).toEqual(['expired evidence could not be removed: the disk is full']);
});
