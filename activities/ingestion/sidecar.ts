import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { sidecarOf } from '../../domain/ingestion/sidecar.ts';
import type { MetadataLayer } from './metadata.ts';
import { DocumentRefusal } from './refusal.ts';
import { systemErrorCode } from './system-error.ts';

const largest = 1 << 20;

/** The metadata of `NAME.ext.meta.json` beside a file; null when there is none. @throws DocumentRefusal when there is one that cannot be read. */
export async function readSidecar(path: string): Promise<MetadataLayer | null> {
  const sidecar = sidecarOf(path);
  const origin = basename(sidecar);
  let source: string;
  try {
    if ((await stat(sidecar)).size > largest) throw refusal(`${origin}: larger than 1 MB`);
    source = await readFile(sidecar, 'utf8');
  } catch (error) {
    if (error instanceof DocumentRefusal) throw error;
    const code = systemErrorCode(error);
    if (code === null) throw error;
    if (code === 'ENOENT') return null;
    throw refusal(`${origin}: cannot be read (${code})`);
  }
  const values = parseObject(source.replace(/^\ufeff/, ''));
  if (values === null) throw refusal(`${origin}: is not a JSON object`);
  return { origin, values, foreignKeys: 'refused' };
}

function parseObject(source: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function refusal(message: string): DocumentRefusal {
  return new DocumentRefusal('Document.BadMetadata', message);
}
