/** The code (ENOENT, EACCES, …) of an error of the file system; null for any other value. */
export function systemErrorCode(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : null;
}
