const ligatures: Record<string, string> = {
  '\ufb00': 'ff',
  '\ufb01': 'fi',
  '\ufb02': 'fl',
  '\ufb03': 'ffi',
  '\ufb04': 'ffl',
  '\ufb05': 'st',
  '\ufb06': 'st',
};

/**
 * The form in which document text is stored, shown and quoted: line ends as \n, NFC, typographic ligatures spelt out, no-break and
 * other odd spaces as a space, invisible characters and controls removed. Meaning is kept: unlike NFKC, "10²" does not become "102".
 */
export function normaliseText(raw: string): string {
  return visibleText(
    raw
      .replace(/\r\n?/g, '\n')
      .normalize('NFC')
      .replace(/[\ufb00-\ufb06]/g, (ligature) => ligatures[ligature] ?? ligature),
  );
}

/** What can be seen of a text, or of a piece of one: odd spaces as a space, invisible characters and controls except \n removed. */
export function visibleText(raw: string): string {
  return (
    raw
      .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000\t]/g, ' ')
      .replace(/[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu, '')
      // One changes how the character before it looks; a row of them hides a text.
      .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/gu, '')
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
  );
}

/** The form in which text is compared and indexed: NFKC (full-width and half-width forms fold together), lower case. Never shown. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
