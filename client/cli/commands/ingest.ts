import { Command } from 'commander';
import type { Done } from '../done.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { printListing, printReport } from '../print-ingestion.ts';

export function ingestCommand(done: Done): Command {
  return new Command('ingest')
    .description(
      'Take in documents: files, folders (with all below them) or patterns. What has not changed is left as it is.',
    )
    .argument('<path...>')
    .option('--group <name...>', 'only members of one of these groups may read them; default: everybody of the tenant')
    .option('--json', 'print the report as JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline ingest handbook/ notes.md\n  plumbline ingest "reports/**/*.html" --group board',
    )
    .action(async (paths: string[], { group, json }: { group?: string[]; json: boolean }) => {
      const { listSourceFiles } = await import('../../source-files.ts');
      const listing = await listSourceFiles(paths, { overrides: group === undefined ? {} : { groups: group } });
      printListing(listing);
      if (listing.files.length === 0) throw new CliError(exitCodes.usage, 'There is no document to take in.');
      const { ingestHere } = await import('../ingest-here.ts');
      const report = await ingestHere(listing.files);
      if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else printReport(report);
      const missing = listing.skipped.some(
        ({ reason }) => reason === 'not_found' || reason === 'unreadable' || reason === 'no_match',
      );
      done(report.counts.failed > 0 || missing ? exitCodes.failed : exitCodes.ok);
    });
}
