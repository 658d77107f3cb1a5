/** Letters that do not come apart into a base letter and a mark. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  ð: 'd',
  þ: 'th',
};

/** Spellings under which a word is looked up, in lower case: without accents, and with the German way to write them out. */
export function spellingsOf(word: string): [plain: string, german: string] {
  const lower = word
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '');
  const spelt = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[ßøłæœđıðþ]/g, (letter) => plainLetters[letter] ?? letter);
  return [spelt(lower), spelt(lower.normalize('NFC').replace(/[äöü]/g, (vowel) => `${vowel}e`))];
}
