/** Longest that a request may wait for its outcome. */
export const longestWaitSeconds = 60;

/**
 * Seconds to wait from a `Prefer` header (RFC 7240), at most `longestWaitSeconds`; null without a valid `wait`. The first `wait` counts, and what
 * cannot be read is ignored, as the RFC wants it.
 */
export function preferredWait(header: string | undefined): number | null {
  for (const preference of (header ?? '').split(',')) {
    const [name = '', value] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim());
    if (name.toLowerCase() !== 'wait') continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value ?? '')?.[1];
    return seconds === undefined ? null : Math.min(Number(seconds), longestWaitSeconds);
  }
  return null;
}
