import { Command } from 'commander';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';

export function cancelCommand(done: Done): Command {
  return new Command('cancel')
    .description('Stop a run.')
    .argument('<id>')
    .action(async (id: string) => {
      await (await connect()).delete(`/v1/questions/${encodeURIComponent(id)}`);
      process.stderr.write('The run was asked to stop.\n');
      done(exitCodes.ok);
    });
}
