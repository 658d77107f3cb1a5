import { Command } from 'commander';
import type { RunComparison } from '../../../compared-run.ts';
import type { ApiClient } from '../../api-client.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printComparison } from '../../print-comparison.ts';

export function compareCommand(done: Done): Command {
  return new Command('compare')
    .description('Two runs side by side: verdict, evidence, answer, corrections, cost. What differs is marked ≠.')
    .argument('<id>')
    .argument('<other>')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExample:\n  plumbline runs compare 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d 9e0f1a2b-3c4d-4e5f-8a6b-0b1c2d3e4f50',
    )
    .action(async (id: string, other: string, { json }: { json: boolean }) => {
      const comparison = await compared(await connect(), id, other);
      if (json) process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
      else printComparison(comparison, ['first', 'second']);
      done(exitCodes.ok);
    });
}

/** @throws CliError */
export function compared(api: ApiClient, id: string, other: string): Promise<RunComparison> {
  const query = new URLSearchParams({ with: other });
  return api.get<RunComparison>(`/v1/questions/${encodeURIComponent(id)}/comparison?${query.toString()}`);
}
