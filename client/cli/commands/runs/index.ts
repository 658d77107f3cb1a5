import { Command } from 'commander';
import type { Done } from '../../done.ts';
import { cancelCommand } from './cancel.ts';
import { compareCommand } from './compare.ts';
import { forkCommand } from './fork.ts';
import { listCommand } from './list.ts';
import { replayCommand } from './replay.ts';
import { resumeCommand } from './resume.ts';
import { showCommand } from './show.ts';

export function runsCommand(done: Done): Command {
  const runs = new Command('runs').description('Look at the runs of questions.');
  for (const command of [
    listCommand,
    showCommand,
    cancelCommand,
    forkCommand,
    compareCommand,
    replayCommand,
    resumeCommand,
  ])
    runs.addCommand(command(done));
  return runs;
}
