import { Command } from 'commander';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';

export function commentCommand(done: Done): Command {
  return new Command('comment')
    .description('Add a line to the trail of a review.')
    .argument('<id>')
    .argument('<text...>')
    .addHelpText(
      'after',
      '\nExample:\n  plumbline review comment 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d "Asked the workshop"',
    )
    .action(async (id: string, words: string[]) => {
      await (await connect()).post(`/v1/reviews/${encodeURIComponent(id)}/comments`, { text: words.join(' ') });
      process.stderr.write('The comment is in the trail.\n');
      done(exitCodes.ok);
    });
}
