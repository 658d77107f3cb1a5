/** Letters of other alphabets that look like Latin ones, where words are disguised with them. */
const lookAlikes: Record<string, string> = {
  а: 'a',
  в: 'b',
  с: 'c',
  е: 'e',
  һ: 'h',
  і: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
};
const mixedWord = /(?=\p{L}*[a-z])(?=\p{L}*[\p{Script=Cyrillic}\p{Script=Greek}])\p{L}+/giu;
const spelledOut = /(?<![\p{L}\p{N}])(?:\p{L}[ ._-]){4,}\p{L}(?![\p{L}\p{N}])/gu;

/** Whether a text has more than a word spelled letter by letter: nobody does that but to hide it from a search. */
export function isSpelledOut(text: string): boolean {
  return [...text.matchAll(spelledOut)].some(([run]) => run.length > 20);
}

/** A text as whoever wants to be understood would have written it: without invisible characters, disguised letters, and words spelled letter by letter. */
export function plainReading(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu, '')
    .replace(mixedWord, (word) => [...word.toLowerCase()].map((letter) => lookAlikes[letter] ?? letter).join(''))
    .replace(spelledOut, (word) => word.replace(/[ ._-]/g, ''))
    .replace(/\s+/g, ' ');
}
