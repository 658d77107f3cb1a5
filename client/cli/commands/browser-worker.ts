import { Command } from 'commander';
import type { Done } from '../done.ts';

export function browserWorkerCommand(done: Done): Command {
  return new Command('browser-worker')
    .description(
      'Run a worker that reads web pages by Chromium, against the Temporal server that TEMPORAL_ADDRESS names.',
    )
    .addHelpText('after', '\nExample:\n  TEMPORAL_ADDRESS=temporal:7233 plumbline browser-worker')
    .action(async () => {
      const { serveBrowserWorker } = await import('../../../launcher/serve-browser-worker.ts');
      done(await serveBrowserWorker());
    });
}
