/** Longest that a request may wait for its outcome. */
export const longestWaitSeconds = 60;

/**
 * Seconds to wait from a `Prefer` header (RFC 7240), at most `longestWaitSeconds`; null without a valid `wait`. The first `wait` counts, and what
 * cannot be read is ignored, as the RFC wants it.
 */
export function preferredWait(header: string | undefined): number | null {
  const wait = preferencesOf(header).find(({ name }) => name === 'wait');
  const seconds = /^"?(\d{1,9})"?$/.exec(wait?.value ?? '')?.[1];
  return seconds === undefined ? null : Math.min(Number(seconds), longestWaitSeconds);
}

/** Whether the caller wants no answer but that the request was taken. */
export function prefersAsync(header: string | undefined): boolean {
  return preferencesOf(header).some(({ name }) => name === 'respond-async');
}

function preferencesOf(header: string | undefined): { name: string; value: string | undefined }[] {
  return (header ?? '').split(',').map((preference) => {
    const [name = '', value] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim());
    return { name: name.toLowerCase(), value };
  });
}
