const ending = '.meta.json';

/** The file beside a document that holds its metadata. */
export function sidecarOf(path: string): string {
  return path + ending;
}

/** Such files describe documents and are none themselves. */
export function isSidecar(path: string): boolean {
  return path.endsWith(ending);
}
