import { constants } from 'node:fs';
import { access, readdir, realpath, stat, lstat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { glob, isDynamicPattern } from 'tinyglobby';
import type { MetadataOverrides } from '../../domain/contracts/document.ts';
import type { SourceFile } from '../../domain/contracts/ingestion.ts';
import { isSidecar, sidecarOf } from '../../domain/ingestion/sidecar.ts';

/** What a folder is searched for. A file named by itself is always taken: its content decides. */
const supported = new Set(
  '.md .markdown .txt .text .html .htm .xhtml .pdf .docx .xlsx .csv .tsv .pptx .eml'.split(' '),
);

export interface SourceListing {
  files: SourceFile[];
  /** What was found and not taken, or not found, so that nothing is passed over unseen. */
  skipped: {
    path: string;
    reason: 'not_found' | 'unreadable' | 'unsupported_type' | 'symbolic_link' | 'no_match' | 'sidecar_without_document';
  }[];
}

/**
 * Expands files, folders and globs. Files are named by their path below the folder given (or below the fixed part of the glob), with `/`: the
 * name, and so the document's id, does not depend on where the folder stands. Hidden files and folders are left out, as in a shell.
 */
export async function listSourceFiles(
  paths: string[],
  { cwd = process.cwd(), overrides = {} }: { cwd?: string; overrides?: MetadataOverrides } = {},
): Promise<SourceListing> {
  const files = new Map<string, SourceFile>();
  const skipped: SourceListing['skipped'] = [];
  for (const given of paths) {
    const found = await expand(given, cwd, skipped);
    const sidecars = new Set(found.map(({ path }) => sidecarOf(path)));
    for (const { path, base, named } of found) {
      if (files.has(path) || sidecars.has(path)) continue;
      const reason = await unfit(path, named ? null : base);
      if (reason) skipped.push({ path, reason });
      else
        files.set(path, {
          path,
          name: relative(base, path).split(sep).join('/'),
          uri: pathToFileURL(path).href,
          overrides,
        });
    }
  }
  return { files: [...files.values()], skipped };
}

interface Candidate {
  path: string;
  /** Names are relative to it. */
  base: string;
  /** Given by its own path, not found in a folder. */
  named: boolean;
}

async function expand(given: string, cwd: string, skipped: SourceListing['skipped']): Promise<Candidate[]> {
  const path = resolve(cwd, given);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return walk(path, path, skipped);
  if (found) return [{ path, base: dirname(path), named: true }];
  if (!isDynamicPattern(given)) {
    skipped.push({ path, reason: 'not_found' });
    return [];
  }
  const pattern = given.split(sep).join('/');
  const base = resolve(cwd, fixedPart(pattern));
  const matches = (await glob(pattern, { cwd, absolute: true, expandDirectories: false }))
    .map((match) => resolve(match))
    .sort();
  if (matches.length === 0) skipped.push({ path: given, reason: 'no_match' });
  const folders = new Map<string, boolean>();
  for (const folder of new Set(matches.map((match) => dirname(match))))
    folders.set(folder, await isPlainlyBelow(folder, base));
  return matches.filter((match) => folders.get(dirname(match))).map((match) => ({ path: match, base, named: false }));
}

/** Whether a folder is reached without following a link, as a folder given by its path is searched. */
async function isPlainlyBelow(folder: string, base: string): Promise<boolean> {
  return (await realpath(folder)) === join(await realpath(base), relative(base, folder));
}

/** In the order of names. Links to folders are not followed, so that a circle of links ends. */
async function walk(folder: string, base: string, skipped: SourceListing['skipped']): Promise<Candidate[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) {
    skipped.push({ path: folder, reason: 'unreadable' });
    return [];
  }
  const found: Candidate[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path, base, skipped)));
    else found.push({ path, base, named: false });
  }
  return found;
}

function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const dynamic = parts.findIndex((part) => isDynamicPattern(part));
  return parts.slice(0, dynamic).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

/** `base`: the folder that was searched, null for a file named by itself. */
async function unfit(path: string, base: string | null): Promise<SourceListing['skipped'][number]['reason'] | null> {
  if (isSidecar(path)) return 'sidecar_without_document';
  const found = await stat(path).catch(() => null);
  if (
    !found ||
    (await access(path, constants.R_OK).then(
      () => false,
      () => true,
    ))
  )
    return 'unreadable';
  if (base !== null && (await leadsOut(path, base))) return 'symbolic_link';
  if (!found.isFile()) return 'unsupported_type';
  return base === null || supported.has(extname(basename(path)).toLowerCase()) ? null : 'unsupported_type';
}

/** A link within the folder is followed; one that leads out of it would take in what nobody meant. */
async function leadsOut(path: string, base: string): Promise<boolean> {
  if (!(await lstat(path)).isSymbolicLink()) return false;
  return !(await realpath(path)).startsWith(join(await realpath(base), sep));
}
