import { Command } from 'commander';
import type { Done } from '../done.ts';

export function apiCommand(done: Done): Command {
  return new Command('api')
    .description('Run only the HTTP API, against the Temporal server that TEMPORAL_ADDRESS names.')
    .addHelpText('after', '\nExample:\n  TEMPORAL_ADDRESS=temporal:7233 PLUMBLINE_PORT=8080 plumbline api')
    .action(async () => {
      const { serveApi } = await import('../../../launcher/serve-api.ts');
      done(await serveApi());
    });
}
