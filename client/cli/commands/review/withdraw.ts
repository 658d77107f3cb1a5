import { Command } from 'commander';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';

export function withdrawCommand(done: Done): Command {
  return new Command('withdraw')
    .description('Take the published document of a review out of the corpus again.')
    .argument('<id>')
    .addHelpText('after', '\nExample:\n  plumbline review withdraw 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d')
    .action(async (id: string) => {
      await (await connect()).delete(`/v1/reviews/${encodeURIComponent(id)}/publication`);
      process.stderr.write('Withdrawn: no question is answered from it any more.\n');
      done(exitCodes.ok);
    });
}
