import { Command } from 'commander';
import type { ShownReview } from '../../../shown-review.ts';
import type { ApiClient } from '../../api-client.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printReview } from '../../print-review.ts';

export function showCommand(done: Done): Command {
  return new Command('show')
    .description(
      'All that is needed to decide: why a person is asked, what was tried, the draft, the evidence, the trail.',
    )
    .argument('<id>')
    .option('--json', 'print JSON', false)
    .addHelpText('after', '\nExample:\n  plumbline review show 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d')
    .action(async (id: string, { json }: { json: boolean }) => {
      const review = await reviewOf(await connect(), id);
      if (json) process.stdout.write(`${JSON.stringify(review, null, 2)}\n`);
      else printReview(review);
      done(exitCodes.ok);
    });
}

/** @throws CliError */
export function reviewOf(api: ApiClient, id: string): Promise<ShownReview> {
  return api.get<ShownReview>(`/v1/reviews/${encodeURIComponent(id)}`);
}
