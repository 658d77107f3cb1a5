/** The file's own name without its ending, as words. */
export function titleFromName(name: string): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  const words = file
    .replace(/(?<=.)\.[\p{L}\p{N}]{1,8}$/u, '')
    .replace(/_+/g, ' ')
    .trim();
  return (words || file || 'untitled').slice(0, 500);
}
