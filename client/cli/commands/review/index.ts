import { Command } from 'commander';
import type { Done } from '../../done.ts';
import { claimCommand } from './claim.ts';
import { commentCommand } from './comment.ts';
import { decideCommand } from './decide.ts';
import { listCommand } from './list.ts';
import { publishCommand } from './publish.ts';
import { showCommand } from './show.ts';
import { withdrawCommand } from './withdraw.ts';

export function reviewCommand(done: Done): Command {
  const review = new Command('review').description('Decide where a run waits for a person.');
  for (const command of [
    listCommand,
    showCommand,
    claimCommand,
    commentCommand,
    decideCommand,
    publishCommand,
    withdrawCommand,
  ])
    review.addCommand(command(done));
  return review;
}
