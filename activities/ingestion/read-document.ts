import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApplicationFailure } from '@temporalio/common';
import { ParseError } from '../../adapters/parsers/port.ts';
import type { DocumentMetadata } from '../../domain/contracts/document.ts';
import type { DocumentReport, SplitOptions } from '../../domain/contracts/ingestion.ts';
import type { ParsedDocument } from '../../domain/contracts/parsed-document.ts';
import { splitterVersion } from '../../domain/splitting/options.ts';
import { claimForFile } from './claim.ts';
import { documentIdFromName } from './document-id.ts';
import { hashFile, hashText } from './hash.ts';
import { alive } from './heartbeat.ts';
import { listedFileSchema, readManifestEntry } from './manifest.ts';
import type { ListedFile } from './manifest.ts';
import { resolveMetadata } from './metadata.ts';
import { writePrepared } from './prepared-files.ts';
import { DocumentRefusal } from './refusal.ts';
import { emptyReport, parseFindings } from './report.ts';
import type { IngestionDeps, PreparedRef, RunRef } from './run.ts';
import { readSidecar } from './sidecar.ts';
import { splitInPortions } from './split-document.ts';
import { systemErrorCode } from './system-error.ts';
import { titleFromName } from './title-from-name.ts';

/** Raise it when parsers give other text or blocks for the same bytes, so that documents are read anew. */
const parserVersion = 1;

/** One file as given, or the place of its line in the list. */
export type SourceRef = { file: ListedFile } | { manifest: string; at: number };

interface ReadInput {
  run: RunRef;
  source: SourceRef;
  split: SplitOptions;
}

/** `prepared`: to be embedded and published. Otherwise the document's way ends here, unchanged or refused. */
export interface ReadResult {
  report: Omit<DocumentReport, 'ms'>;
  prepared: (PreparedRef & { stretches: number }) | null;
}

/** Reads, checks and splits one file. A file that cannot be taken in is a result; only what may pass, or concerns more than this file, is a failure. */
export function createReadDocument(deps: IngestionDeps) {
  return (input: ReadInput): Promise<ReadResult> =>
    alive(async (signal) => {
      const file =
        'file' in input.source
          ? listedFileSchema.parse(input.source.file)
          : await readManifestEntry(input.source.manifest, input.source.at);
      const report = emptyReport(file);
      try {
        return await readFileWhole(deps, { ...input, file, report }, signal);
      } catch (error) {
        const refused =
          error instanceof DocumentRefusal || (error instanceof ParseError && error.code !== 'Document.ParserCrashed');
        if (!refused) throw error;
        return { report: { ...report, state: 'failed', code: error.code, message: error.message }, prepared: null };
      }
    });
}

interface Reading extends ReadInput {
  file: ListedFile;
  /** Filled as things become known, so that a refusal tells them, too. */
  report: Omit<DocumentReport, 'ms'>;
}

async function readFileWhole(
  deps: IngestionDeps,
  { run, file, report, split }: Reading,
  signal: AbortSignal,
): Promise<ReadResult> {
  const sidecar = await readSidecar(file.path);
  const { parsed, contentHash, bytes } = await readSteadily(deps, file, { report, signal });
  const layers = [
    { origin: 'front matter', values: parsed.frontMatter, foreignKeys: 'ignored' as const },
    ...(sidecar ? [sidecar] : []),
    { origin: 'the call', values: file.overrides, foreignKeys: 'refused' as const },
  ];
  const defaults = { title: parsed.title ?? titleFromName(file.name), uri: file.uri, language: parsed.language };
  const { id, metadata } = resolveMetadata(layers, defaults);
  const documentId = id ?? documentIdFromName(file.name);
  report.documentId = documentId;
  await claimForFile(run, { documentId, name: file.name, path: file.path }, deps.spoolDir);

  // The title is embedded with every passage, so that a new title is a new version.
  const made = [
    contentHash,
    parserVersion,
    splitterVersion,
    split.targetTokens,
    split.overlapTokens,
    deps.embedding.id,
    metadata.title,
  ];
  const version = `v_${hashText(JSON.stringify(made)).slice(0, 32)}`;
  const live = await deps.index.liveVersion(run.tenant, documentId);
  if (live !== null) await requireReadable(deps, run, documentId);
  if (live === version) {
    const passages = await applyMetadata(deps, { run, documentId, metadata });
    return { report: { ...report, state: 'unchanged', passages }, prepared: null };
  }

  const identity = { tenant: run.tenant, documentId, version, title: metadata.title };
  const cut = await splitInPortions(parsed, { identity, split, embedding: deps.embedding, signal });
  if (cut.passages.length === 0)
    throw new DocumentRefusal('Document.NoText', 'The document holds no extractable text.');
  const findings = parseFindings(parsed, cut.warnings);
  const { format, text, pages } = parsed;
  const ingestedAt = new Date().toISOString();
  const document = {
    ...identity,
    format,
    metadata,
    text,
    contentHash,
    bytes,
    pages,
    ...(report.pagesWithoutText.length > 0 ? { pagesWithoutText: report.pagesWithoutText } : {}),
    warnings: findings.all,
    ingestedAt,
  };
  const stretches = await writePrepared(run, { document, passages: cut.passages }, deps.spoolDir);
  const state = findings.all.length > 0 ? 'ready_with_warnings' : 'ready';
  return {
    report: { ...report, state, warnings: findings.shown, passages: cut.passages.length },
    prepared: { documentId, version, stretches },
  };
}

/** Nobody may replace what they may not read: it would destroy it, and could open it to others. */
async function requireReadable({ index }: IngestionDeps, run: RunRef, documentId: string): Promise<void> {
  const { tenant, user, groups } = run;
  if (groups === undefined || (await index.document({ tenant, user, groups }, documentId)) !== null) return;
  throw new DocumentRefusal('Document.Taken', `The id ${documentId} is taken; give the document another id.`);
}

/** Rights and dates take effect at once. Returns the document's passages. */
async function applyMetadata(
  { index }: IngestionDeps,
  { run, documentId, metadata }: { run: RunRef; documentId: string; metadata: DocumentMetadata },
): Promise<number> {
  // With the new groups the document is either readable or has other groups.
  const access = { tenant: run.tenant, user: run.user, groups: metadata.groups };
  const stored = await index.document(access, documentId);
  if (stored && isDeepStrictEqual(stored.metadata, metadata)) return stored.passages;
  await index.updateMetadata(run.tenant, documentId, metadata);
  return (await index.document(access, documentId))?.passages ?? 0;
}

/** Text and hash of the same bytes: a file that is written to meanwhile is read again. */
async function readSteadily(
  { parser }: IngestionDeps,
  file: ListedFile,
  { report, signal }: { report: Reading['report']; signal: AbortSignal },
): Promise<{ parsed: ParsedDocument; contentHash: string; bytes: number }> {
  const before = await fileState(file.path);
  report.bytes = before.size;
  const parsed = await parser.parse({ path: file.path, name: file.name }, signal);
  report.pages = parsed.pages;
  report.pagesWithoutText = parseFindings(parsed, []).pagesWithoutText;
  const contentHash = await hashFile(file.path, signal);
  const after = await fileState(file.path);
  if (before.size !== after.size || before.mtimeMs !== after.mtimeMs) {
    throw ApplicationFailure.create({
      type: 'Document.Changing',
      message: 'the file is being written to',
      nonRetryable: false,
    });
  }
  return { parsed, contentHash, bytes: before.size };
}

async function fileState(path: string): Promise<{ size: number; mtimeMs: number }> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, mtimeMs };
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    throw new DocumentRefusal('Document.Unreadable', `The file cannot be read (${code}).`);
  }
}
