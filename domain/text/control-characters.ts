/** All but tab, line feed and carriage return: they are not seen, and let a text look like another one. */
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

export function hasControlCharacters(text: string): boolean {
  return controlCharacter.test(text);
}
