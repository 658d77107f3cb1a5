import { join } from 'node:path';

export const limits = {
  maxBytes: 64 << 20,
  maxUnpackedBytes: 256 << 20,
  maxEntries: 5000,
  maxPages: 2000,
  timeoutMs: 60_000,
  maxMemoryMb: 768,
};

export const workflowsPath = join(import.meta.dirname, '../../workflows/ingest-documents.ts');
