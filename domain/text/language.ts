const english = /\b(?:the|of|and|to|is|are|in|for|what|how|when|which|who|does|do|can|a|an|with|must|should|on)\b/gi;
const german = /\b(?:der|die|das|und|ist|sind|wie|was|wann|welche|für|nicht|ein|eine|mit|muss|auf)\b/gi;
const french = /\b(?:le|la|les|des|et|est|sont|comment|quel|quelle|quand|pour|pas|un|une|avec|dans)\b/gi;
const spanish = /\b(?:el|los|las|y|es|son|cómo|qué|cuándo|cuál|para|no|una|con|del|por)\b/gi;

/** A guess at the language (BCP 47), by script and function words; `und` when nothing tells. Good enough to choose rules, not to label documents. */
export function detectLanguage(text: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru';
  if (/\p{Script=Arabic}/u.test(text)) return 'ar';
  const counts: [string, number][] = [
    ['en', text.match(english)?.length ?? 0],
    ['de', text.match(german)?.length ?? 0],
    ['fr', text.match(french)?.length ?? 0],
    ['es', text.match(spanish)?.length ?? 0],
  ];
  const [best] = counts.sort((a, b) => b[1] - a[1]);
  return best && best[1] > 0 ? best[0] : 'und';
}
