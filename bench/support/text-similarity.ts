/** Longer texts are compared by their beginnings: the time grows with the square. */
const mostWords = 12_000;

/** Share of words that two texts have in common in the same order, 0–1: twice the longest common subsequence over both lengths. */
export function similarity(a: string[], b: string[]): number {
  const left = a.slice(0, mostWords);
  const right = b.slice(0, mostWords);
  if (left.length + right.length === 0) return 1;
  return (2 * commonSubsequence(left, right)) / (left.length + right.length);
}

function commonSubsequence(a: string[], b: string[]): number {
  const numbers = new Map<string, number>();
  const numbered = (words: string[]) =>
    Uint32Array.from(words, (word) => {
      const known = numbers.get(word) ?? numbers.size;
      numbers.set(word, known);
      return known;
    });
  const [rows, columns] = [numbered(a), numbered(b)];
  const best = new Uint32Array(columns.length + 1);
  for (const row of rows) {
    let diagonal = 0;
    for (let column = 1; column <= columns.length; column++) {
      const above = best[column] ?? 0;
      best[column] = row === columns[column - 1] ? diagonal + 1 : Math.max(above, best[column - 1] ?? 0);
      diagonal = above;
    }
  }
  return best[columns.length] ?? 0;
}
