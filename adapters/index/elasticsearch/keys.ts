import { createHash } from 'node:crypto';
import type { VersionKey } from '../port.ts';

/** Ids of stored things are hashes: document ids may be longer than the 512 bytes that Elasticsearch allows, and hold any character. */
export function documentKey(tenant: string, documentId: string): string {
  return hash([tenant, documentId]);
}

export function versionKey({ tenant, documentId, version }: VersionKey): string {
  return hash([tenant, documentId, version]);
}

export function passageKey({ tenant, documentId, version }: VersionKey, passageId: string): string {
  return hash([tenant, documentId, version, passageId]);
}

function hash(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
