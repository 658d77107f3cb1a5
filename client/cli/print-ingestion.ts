import { SingleBar } from 'cli-progress';
import type { DocumentReport, IngestionProgress, IngestionReport } from '../../domain/contracts/ingestion.ts';
import type { SourceListing } from '../source-files.ts';
import { colorsFor, printable, writeLines } from './output.ts';

/** A bar on a terminal; nothing elsewhere. */
export function showIngestion(total: number): {
  update: (progress: Pick<IngestionProgress, 'done' | 'counts'>) => void;
  stop: () => void;
} {
  const format = '  {bar} {value}/{total} documents, {passages} passages';
  const bar = new SingleBar({
    format,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    stopOnComplete: false,
  });
  if (process.stderr.isTTY) bar.start(total, 0, { passages: 0 });
  return {
    update: ({ done, counts }) => bar.update(done, { passages: counts.passages }),
    stop: () => bar.stop(),
  };
}

const reasons: Record<SourceListing['skipped'][number]['reason'], string> = {
  not_found: 'there is no such file',
  unreadable: 'this user may not read it',
  unsupported_type: 'not a kind of document that is taken in (.md .txt .html .pdf .docx .xlsx .csv .tsv .pptx .eml)',
  symbolic_link: 'a link that leads out of the folder; name it by itself to take it in',
  no_match: 'nothing matches this pattern',
  sidecar_without_document: 'metadata without its document',
};

/** Says what was passed over. */
export function printListing({ skipped }: SourceListing): void {
  for (const { path, reason } of skipped) writeLines(process.stderr, `skipped ${printable(path)}: ${reasons[reason]}`);
}

export function printReport({ total, counts, documents, omitted, ms }: IngestionReport): void {
  const out = process.stdout;
  const colors = colorsFor(out);
  for (const document of documents) printDocument(document);
  if (omitted > 0) writeLines(out, `… and ${omitted} more that failed or came with warnings.`);
  const parts = [
    `${counts.ready + counts.readyWithWarnings} ready`,
    ...(counts.readyWithWarnings > 0 ? [`${counts.readyWithWarnings} of them with warnings`] : []),
    `${counts.unchanged} unchanged`,
    counts.failed > 0 ? colors.red(`${counts.failed} failed`) : '0 failed',
  ];
  writeLines(
    out,
    `${total} documents: ${parts.join(', ')}; ${counts.passages} passages in ${(ms / 1000).toFixed(1)} s.`,
  );
}

function printDocument({ name, state, code, message, warnings }: DocumentReport): void {
  const out = process.stdout;
  const colors = colorsFor(out);
  if (state === 'failed')
    writeLines(out, `${colors.red('✗')} ${printable(name)}: ${printable(message ?? '')} (${code ?? 'no code'})`);
  for (const warning of warnings) writeLines(out, `${colors.yellow('!')} ${printable(name)}: ${printable(warning)}`);
}
