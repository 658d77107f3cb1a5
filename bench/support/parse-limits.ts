import type { ParseLimits } from '../../adapters/parsers/port.ts';

/** Wide enough for every document of the data sets on a busy machine. */
export const parseLimits: ParseLimits = {
  maxBytes: 200 * 2 ** 20,
  maxUnpackedBytes: 500 * 2 ** 20,
  maxEntries: 10_000,
  maxPages: 5_000,
  timeoutMs: 300_000,
  maxMemoryMb: 1024,
};
