import { createDocumentParser } from '../../../adapters/parsers/index.ts';
import type { DocumentParser } from '../../../adapters/parsers/port.ts';
import type { PageLimits } from '../../../adapters/web/port.ts';
import { anyDomain } from '../../../domain/web/url-rules.ts';
import { limits as parseLimits } from '../../parsers/support/limits.ts';

/** Small and quick; robots rules off where they are not the subject. */
export const limits: PageLimits = {
  maxBytes: 1_000_000,
  maxUnpackedBytes: 2_000_000,
  timeoutMs: 10_000,
  maxRedirects: 3,
  robots: false,
  domains: anyDomain,
};

export function oneParser(): DocumentParser {
  return createDocumentParser(parseLimits, { processes: 1 });
}
