import { CsvError, parse } from 'csv-parse/sync';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import type { ParseContext } from '../context.ts';
import { decodeText } from '../decode-text.ts';
import { DocumentBuilder } from '../document-builder.ts';
import { ParseError } from '../port.ts';
import { addTable } from '../table.ts';

const delimiters = [',', ';', '\t', '|'];
const sniffedLines = 50;

/** Rows of a table in a text file, the delimiter found from the first lines (or named by `sep=`, as Excel writes it). */
export async function parseCsv(bytes: Uint8Array, ctx: ParseContext): Promise<ParsedDocument> {
  const source = decodeText(bytes, { format: 'csv', declared: null }).replace(/^\ufeff/, '');
  const named = /^"?sep=(.)"?\r?\n/i.exec(source);
  const text = named === null ? source : source.slice(named[0].length);
  const builder = new DocumentBuilder('csv', ctx.limits.maxUnpackedBytes);
  addTable(builder, records(text, named?.[1] ?? sniffDelimiter(text)), 'lenient');
  return builder.finish();
}

function records(text: string, delimiter: string, to = Number.POSITIVE_INFINITY): string[][] {
  const limit = Number.isFinite(to) ? { to } : {};
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      ...limit,
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const line: unknown = Reflect.get(cause, 'lines');
    throw new ParseError('Document.Corrupt', `The table is not valid CSV (${cause.code}, line ${String(line)}).`, {
      format: 'csv',
      cause,
    });
  }
}

/** The delimiter that gives the most lines of one and the same number of cells, at least two; of equals, the one with more cells. */
function sniffDelimiter(text: string): string {
  const sample = text.split('\n', sniffedLines).join('\n');
  const scored = delimiters.map((delimiter) => {
    const widths = sampleWidths(sample, delimiter);
    const counts = new Map<number, number>();
    for (const width of widths.filter((w) => w > 1)) counts.set(width, (counts.get(width) ?? 0) + 1);
    const [width = 1, count = 0] = [...counts].sort((p, q) => q[1] - p[1] || q[0] - p[0])[0] ?? [];
    return { delimiter, width, share: count / Math.max(1, widths.length) };
  });
  return scored.sort((p, q) => q.share - p.share || q.width - p.width)[0]?.delimiter ?? ',';
}

function sampleWidths(sample: string, delimiter: string): number[] {
  try {
    return records(sample, delimiter, sniffedLines).map((record) => record.length);
  } catch (error) {
    // The sample may end inside of quotes; then quotes say nothing and the plain count must do.
    if (error instanceof ParseError) return sample.split('\n').map((line) => line.split(delimiter).length);
    throw error;
  }
}
