import { Command, Option } from 'commander';
import type { ReviewSummary } from '../../../../domain/contracts/review.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { writeLines } from '../../output.ts';
import { standing } from '../../print-waiting.ts';
import { reviewOf } from './show.ts';

export function claimCommand(done: Done): Command {
  return new Command('claim')
    .description('Tell the others that you are working on it. It keeps nobody from deciding.')
    .argument('<id>')
    .option('--take-over', 'also when somebody else has it')
    .addOption(new Option('--release', 'give it back').conflicts('takeOver'))
    .addHelpText('after', '\nExample:\n  plumbline review claim 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d --take-over')
    .action(async (id: string, { takeOver, release }: { takeOver?: true; release?: true }) => {
      const api = await connect();
      const { round } = await reviewOf(api, id);
      const how = takeOver ? 'takeOver' : release ? 'release' : 'claim';
      const review = await api.post<ReviewSummary>(`/v1/reviews/${encodeURIComponent(id)}/claim`, { round, how });
      writeLines(process.stdout, standing(review));
      done(exitCodes.ok);
    });
}
