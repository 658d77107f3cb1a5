import { identifiers } from '../text/identifiers.ts';

/** Longer texts are more than talk. In UTF-16 code units. */
const longest = 200;

/** Said to a person, not asked of documents. */
const phrase = [
  'thanks?(?: you)?(?: (?:very|so) much| a lot| again| for (?:that|this|your help|the help|everything))?',
  '(?:many|no) thanks',
  'so much|cheers|much appreciated',
  'hi|hello|hey|good (?:morning|afternoon|evening|day|night)|(?:nice|good) to (?:meet|see) you',
  "how(?: are|'re) you(?: doing)?(?: today)?|how(?: is|'s) it going|how do you do",
  'bye|goodbye|see you(?: later| soon)?|have a (?:nice|good|great) (?:day|evening|weekend|one)',
  "i(?:'m| am) (?:fine|good|well)|you(?:'re| are) welcome|welcome",
  'ok(?:ay)?|great|perfect|nice|cool|super|awesome|excellent|brilliant|lovely|wonderful|good|well done|wow|ha(?:ha)*|lol',
  "got it|i see|understood|makes sense|sounds good|all good|(?:that|this)(?:'s| is) (?:all|great|perfect|fine|good|helpful|it)|(?:that|this) (?:helps|helped)(?: a lot)?|very helpful",
  'yes|yeah|yep|no|nope|sure|of course|exactly|indeed|please|sorry|oops|never mind|no (?:problem|worries)',
  'there|all|everyone|again|and|very|much|really',
  'danke(?: sch[öo]n| sehr)?|vielen dank|bitte|hallo|guten (?:morgen|tag|abend)|tsch[üu]ss|merci(?: beaucoup)?|bonjour|bonsoir|salut|gracias|hola|buenos d[íi]as|grazie|ciao|děkuji|d[íi]ky|ahoj|dobr[ýy] den',
  'ありがとう(?:ございます|ございました)?|どうも|こんにちは|おはよう(?:ございます)?|谢谢|你好',
].join('|');
const pause = String.raw`[\s!.,;:?)(~！。、？\p{Extended_Pictographic}\u{FE0F}–-]`;
const talk = new RegExp(`^(?:(?:${phrase})(?:${pause}+|$))+$`, 'iu');

/** "No, wrong floor": contradicts an answer, and asks nothing itself. Which answer it was nobody knows here. */
const correction = new RegExp(
  `^(?:(?:no+|nope|nah|sorry|oops|wait)${pause}+)+(?:(?:the |a )?(?:wrong|false|incorrect|not|other)\\b|(?:that|this|it)(?:'s| is| was)\\b|i (?:meant|mean|said|asked)\\b)` +
    `|^(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:it|right|correct|true|what i))\\b|^not (?:that|this|what i)\\b|^wrong${pause}*$`,
  'iu',
);
const asks =
  /[?？]|\b(?:what(?! i\b)|when|where|who|whom|whose|which|why|how|tell|show|explain|describe|list|give|find|compare|search|look)\b/iu;
const mostWordsOfCorrection = 8;

/** Whether a text is only greetings, thanks and the like, one or several, or a curt correction: nothing that documents or the web could answer. */
export function isSmallTalk(text: string): boolean {
  const said = text.trim().replaceAll('’', "'");
  if (said.length > longest) return false;
  if (talk.test(said)) return true;
  const isCurt = said.split(/\s+/).length <= mostWordsOfCorrection && identifiers(said).length === 0;
  return isCurt && correction.test(said) && !asks.test(said);
}
