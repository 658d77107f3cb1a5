const prefix = 'web.';

/** Passages of the web are told from those of the corpus by their ids: a step that reads them back needs to know where. */
export function webPassageId(id: string): string {
  return id.startsWith(prefix) ? id : prefix + id;
}

export function isWebPassageId(id: string): boolean {
  return id.startsWith(prefix);
}
