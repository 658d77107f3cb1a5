import { Command } from 'commander';
import type { Done } from '../done.ts';

export function workerCommand(done: Done): Command {
  return new Command('worker')
    .description('Run only the worker, against the Temporal server that TEMPORAL_ADDRESS names.')
    .addHelpText('after', '\nExample:\n  TEMPORAL_ADDRESS=temporal:7233 plumbline worker')
    .action(async () => {
      const { serveWorker } = await import('../../../launcher/serve-worker.ts');
      done(await serveWorker());
    });
}
