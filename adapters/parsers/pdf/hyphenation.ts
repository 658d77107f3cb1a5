/** Words of a document, lower case, for deciding which hyphens at line ends belong to their words. */
export type Vocabulary = ReadonlySet<string>;

export function vocabularyOf(lines: Iterable<string>): Vocabulary {
  const words = new Set<string>();
  for (const line of lines) {
    // The word at a line's end may be the first part of one: it proves nothing.
    for (const word of line.replace(/\S+[-‐\u00ad]\s*$/u, '').match(/[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*/gu) ?? [])
      words.add(word.toLowerCase());
  }
  return words;
}

/**
 * Joins two lines of a paragraph. A hyphen at the end goes only if the word that remains is written without one elsewhere, or if
 * neither it nor its parts are known; identifiers and compounds keep theirs.
 */
export function joinLines(above: string, below: string, vocabulary: Vocabulary): string {
  const first = /([\p{L}\p{N}][\p{L}\p{N}\-‐/._]*)([-‐\u00ad])\s*$/u.exec(above);
  const second = /^\s*([\p{L}\p{N}]+)/u.exec(below);
  if (first === null || second === null) return `${above}\n${below}`;
  const [, head = '', hyphen = ''] = first;
  const tail = second[1] ?? '';
  const stem = above.slice(0, above.lastIndexOf(hyphen));
  if (hyphen === '\u00ad') return stem + below.trimStart();
  const plainWords = /^\p{L}*\p{Ll}$/u.test(head) && /^\p{Ll}+$/u.test(tail);
  const removes = plainWords && !keepsHyphen(head.toLowerCase(), tail.toLowerCase(), vocabulary);
  return (removes ? stem : stem + hyphen) + below.trimStart();
}

function keepsHyphen(head: string, tail: string, vocabulary: Vocabulary): boolean {
  if (vocabulary.has(head + tail)) return false;
  return vocabulary.has(`${head}-${tail}`) || (vocabulary.has(head) && vocabulary.has(tail));
}
