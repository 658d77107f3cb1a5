import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ParseError, type DocumentParser } from '../../adapters/parsers/port.ts';

export interface PdfOutcomes {
  read: number;
  /** How many were refused with each code. */
  refused: Map<string, number>;
  /** Files on which the parser's process ended, or which failed without a code. */
  crashed: string[];
}

/** Reads every PDF below a folder, whatever is wrong with it. */
export async function readAllPdfs(parser: DocumentParser, folder: string): Promise<PdfOutcomes> {
  const outcomes: PdfOutcomes = { read: 0, refused: new Map(), crashed: [] };
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.toLowerCase().endsWith('.pdf'));
  for (const name of names.sort()) {
    try {
      await parser.parse({ path: join(folder, name), name });
      outcomes.read += 1;
    } catch (error) {
      if (!(error instanceof ParseError) || error.code === 'Document.ParserCrashed') outcomes.crashed.push(name);
      else outcomes.refused.set(error.code, (outcomes.refused.get(error.code) ?? 0) + 1);
    }
  }
  return outcomes;
}
