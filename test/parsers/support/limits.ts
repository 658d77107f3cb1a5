import type { ParseLimits } from '../../../adapters/parsers/port.ts';

const MB = 1024 * 1024;

export const limits: ParseLimits = {
  maxBytes: 50 * MB,
  maxUnpackedBytes: 100 * MB,
  maxEntries: 5_000,
  maxPages: 1_000,
  timeoutMs: 30_000,
  maxMemoryMb: 256,
};
