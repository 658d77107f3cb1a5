import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { ParseError, type DocumentParser, type ParseRequest } from '../../adapters/parsers/port.ts';
import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import type { AddedEvidence } from '../../domain/contracts/review.ts';
import { shortened } from '../../domain/text/shortened.ts';
import { givesOrders } from '../../domain/untrusted/orders.ts';
import { systemErrorCode } from '../ingestion/system-error.ts';
import { titleFromName } from '../ingestion/title-from-name.ts';
import { givenTextHash } from './given-text-hash.ts';
import type { TakenIn } from './taken-in.ts';

type Given<From extends AddedEvidence['from']> = Extract<AddedEvidence, { from: From }>;
type Parser = Pick<DocumentParser, 'parse'>;

/** The rest of the step's time is for cutting and embedding. */
const readWithinMs = 40_000;
const shownCharacters = 300;

const part = 'Send the part that holds the answer, or paste its text.';
const remedies: Record<ParseError['code'], string> = {
  'Document.NoText': 'Type or paste what it says.',
  'Document.Encrypted': 'Send it without its password, or paste its text.',
  'Document.TooLarge': part,
  'Document.TooLargeUnpacked': part,
  'Document.TooManyEntries': part,
  'Document.TooManyPages': part,
  'Document.Timeout': part,
  'Document.UnknownType': 'Send PDF, Word, Excel, PowerPoint, HTML, Markdown, CSV, mail or text, or paste its text.',
  'Document.Undecodable': 'Save it in UTF-8 and send it again, or paste its text.',
  'Document.Corrupt': 'Open it, save it anew and send that, or paste its text.',
  'Document.NotFound': 'Send it again.',
  'Document.ParserCrashed': 'Send it again.',
};

/**
 * Reads a file as documents are read, apart from this process. Whoever reaches Temporal can name any path: only files below `spoolDir`, where uploads
 * are, are read. @throws ParseError `Document.ParserCrashed`, which may pass
 */
export async function takeInFile(
  { parser, spoolDir }: { parser: Parser; spoolDir?: string },
  { path: given, name, title }: Given<'file'>,
  signal: AbortSignal,
): Promise<TakenIn> {
  const path = spoolDir === undefined ? null : await pathBelow(spoolDir, given);
  if (path === null)
    return { refusal: 'The file was not read: it is not among the uploads. Send it with "plumbline review decide".' };
  const uri = `upload:${name.split(/[\\/]/).map(encodeURIComponent).join('/')}`;
  const document = await read(parser, { path, name }, signal);
  if ('refusal' in document) return { refusal: `The file cannot be used: ${document.refusal}` };
  return takenIn(document, uri, [title, document.title, titleFromName(name)]);
}

/** Where a file really is, links followed; null where that is not below the folder, or there is no such file. */
async function pathBelow(folder: string, path: string): Promise<string | null> {
  try {
    const [top, file] = await Promise.all([realpath(folder), realpath(path)]);
    return file.startsWith(top + sep) ? file : null;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}

/** Reads a text as a file of text or Markdown would be read. */
export async function takeInText(
  parser: Parser,
  { text, title, uri }: Given<'text'>,
  signal: AbortSignal,
): Promise<TakenIn> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-given-'));
  try {
    // Without an ending the content tells; a table alone does not.
    const name = tableRule.test(text) ? 'text.md' : 'text';
    const path = join(folder, name);
    await writeFile(path, text.toWellFormed());
    const document = await read(parser, { path, name }, signal);
    if ('refusal' in document) return { refusal: `The text cannot be used: ${document.refusal}` };
    return takenIn(document, uri, [title, document.title]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const tableRule = /^ {0,3}\|? *:?-{3,}:? *(?:\| *:?-{3,}:? *)+\|? *$|^ {0,3}\| *:?-{3,}:? *\| *$/m;

async function read(
  parser: Parser,
  file: ParseRequest,
  signal: AbortSignal,
): Promise<ParsedDocument | { refusal: string }> {
  const tooLong = AbortSignal.timeout(readWithinMs);
  try {
    return await parser.parse(file, AbortSignal.any([signal, tooLong]));
  } catch (error) {
    if (tooLong.aborted && !signal.aborted) {
      const seconds = readWithinMs / 1000;
      return {
        refusal: `it was not read within ${seconds} s. Send it again when less is being read, or paste its text.`,
      };
    }
    if (!(error instanceof ParseError) || error.code === 'Document.ParserCrashed') throw error;
    return { refusal: `${error.message} ${remedies[error.code]}` };
  }
}

/** A title that gives orders is none: it would stand over every passage. */
function takenIn(document: ParsedDocument, uri: string, titles: readonly (string | null | undefined)[]): TakenIn {
  const title = titles.find((one) => one && !givesOrders(one, 'own')) ?? 'Given by a reviewer';
  const { text, warnings } = document;
  const contentHash = givenTextHash({ uri, title, text });
  const losses = warnings.map(({ message }) => shortened(message, shownCharacters));
  return { page: { url: uri, title, fetchedAt: new Date().toISOString(), contentHash, document }, losses };
}
