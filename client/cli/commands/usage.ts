import { Command, Option } from 'commander';
import type { UsageReport, UsageSum } from '../../usage.ts';
import { connect } from '../connect.ts';
import type { Done } from '../done.ts';
import { exitCodes } from '../exit-codes.ts';
import { colorsFor } from '../output.ts';

interface UsageOptions {
  since: string;
  by: 'policy' | 'day';
  json: boolean;
}

export function usageCommand(done: Done): Command {
  return new Command('usage')
    .description("What the model calls of your tenant's questions cost, in US dollars.")
    .option('--since <time>', 'from when on: 30m, 24h, 7d, or a date', '24h')
    .addOption(new Option('--by <what>', 'a line for each').choices(['policy', 'day']).default('policy'))
    .option('--json', 'print JSON', false)
    .addHelpText('after', '\nExamples:\n  plumbline usage\n  plumbline usage --since 30d --by day')
    .action(async ({ since, by, json }: UsageOptions) => {
      const api = await connect();
      const report = await api.get<UsageReport>(`/v1/usage?${new URLSearchParams({ since }).toString()}`);
      if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else printReport(report, by);
      done(exitCodes.ok);
    });
}

function printReport(report: UsageReport, by: UsageOptions['by']): void {
  const rows: [string, UsageSum][] =
    by === 'policy' ? report.byPolicy.map((sum) => [sum.policy, sum]) : report.byDay.map((sum) => [sum.day, sum]);
  rows.push(['total', report]);
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, { runs, costUsd }] of rows) {
    const questions = `${runs} ${runs === 1 ? 'question' : 'questions'}`;
    process.stdout.write(`${name.padEnd(width)}  ${questions.padStart(14)}  $${costUsd.toFixed(6)}\n`);
  }
  process.stdout.write(colorsFor(process.stdout).dim(`Asked since ${report.since.slice(0, 19)}Z.\n`));
}
