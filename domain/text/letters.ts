/** Letters of scripts that set words apart by spaces, as the inside of a character class. In 費用は30000円 the number touches its neighbours. */
export const spacedLetters =
  '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Hangul}';
