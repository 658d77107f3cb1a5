import { Command } from 'commander';
import type { Done } from '../done.ts';

export function upCommand(done: Done): Command {
  return new Command('up')
    .description(
      'Start everything: Temporal, worker, index and API. On the first start the sample documents are taken in.',
    )
    .option(
      '--once',
      'stop after one sample question; exit 0 only when it was answered with a verified citation',
      false,
    )
    .addHelpText('after', '\nExamples:\n  plumbline up\n  PLUMBLINE_PORT=9000 plumbline up --once')
    .action(async ({ once }: { once: boolean }) => {
      const { runUp } = await import('../../../launcher/up.ts');
      done(await runUp({ once }));
    });
}
