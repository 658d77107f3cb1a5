/** The beginning of a text on one line, at most so many UTF-16 units, never half of a character; `…` stands for what is left out. */
export function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  return `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
