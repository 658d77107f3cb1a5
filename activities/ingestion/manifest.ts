import { createReadStream } from 'node:fs';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { sourceFileSchema } from '../../domain/contracts/ingestion.ts';
import { systemErrorCode } from './system-error.ts';

/** A file as listed. Its overrides are checked with the rest of its metadata, so that a wrong one fails its document and not the run. */
export const listedFileSchema = sourceFileSchema.extend({ overrides: z.record(z.string(), z.unknown()).default({}) });
export type ListedFile = z.infer<typeof listedFileSchema>;

interface Line {
  text: string;
  /** Where it begins, and where the next one does, in bytes. */
  at: number;
  next: number;
}

/** Part of a list: what a run works on before it starts anew. `total` is counted with the first part only. */
export interface ManifestPart {
  entries: { name: string; at: number }[];
  next: number | null;
  total: number | null;
}

const longestName = 300;

export async function readManifestPart(manifest: string, from: number, count: number): Promise<ManifestPart> {
  const entries: ManifestPart['entries'] = [];
  let next: number | null = null;
  let total = 0;
  for await (const line of lines(manifest, from)) {
    if (line.text.trim() === '') continue;
    total++;
    if (entries.length < count) entries.push({ name: parseLine(line).name.slice(0, longestName), at: line.at });
    else next ??= line.at;
    if (next !== null && from > 0) break;
  }
  return { entries, next, total: from === 0 ? total : null };
}

export async function readManifestEntry(manifest: string, at: number): Promise<ListedFile> {
  for await (const line of lines(manifest, at)) return parseLine(line);
  throw badManifest(`ends before byte ${at}`);
}

function parseLine({ text, at }: Line): ListedFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badManifest(`has no JSON at byte ${at}`);
  }
  const checked = listedFileSchema.safeParse(value);
  if (!checked.success)
    throw badManifest(`byte ${at}: ${checked.error.issues[0]?.path.join('.')}: ${checked.error.issues[0]?.message}`);
  return checked.data;
}

async function* lines(path: string, from: number): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  let at = from;
  try {
    for await (const chunk of createReadStream(path, { start: from })) {
      let data = Buffer.concat([rest, chunk]);
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
        yield { text: data.toString('utf8', 0, end), at, next: at + end + 1 };
        at += end + 1;
        data = data.subarray(end + 1);
      }
      rest = data;
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') throw badManifest('is not there');
    throw error;
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), at, next: at + rest.length };
}

function badManifest(message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Ingestion.BadManifest',
    message: `the list of files ${message}`,
    nonRetryable: true,
  });
}
