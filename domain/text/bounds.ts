/** How a text limits a value: min is ≥, above is >, max is ≤, below is <, about is ≈; exact is the value itself. */
export type Bound = 'exact' | 'min' | 'above' | 'max' | 'below' | 'about';

export interface BoundMatch {
  bound: Bound;
  /** Where the words of the bound begin and end; the value's own start and end if it has none. */
  start: number;
  end: number;
}

/** "must not exceed", "no more than": these verbs may stand between the negation and the comparison. */
const light =
  '(?:be|been|being|to|go|goes|gone|rise|rises|fall|falls|drop|drops|sink|weigh|weighs|last|lasts|take|takes|cost|costs|pay|charge|contain|contains|hold|use|run|stay|stays|come|get|any|ever|even|is|are|was|were|it|allowed|permitted|significantly|normally|usually|in|at|set|sold|kept|paid|held|made|driven|\\p{L}+ed)';
const negator = "(?:not|cannot|never|no|without|nor|neither|\\p{L}+n['’]t)";
const above =
  '(?:(?:more|greater|higher|longer|larger|bigger|heavier|later|older|taller|wider|further|farther|faster|hotter|thicker|deeper|warmer|better|worse|later)\\s+than|exceed(?:s|ed|ing)?|in\\s+excess\\s+of|surpass(?:es|ed|ing)?|upwards?\\s+of|beyond|over|above|>)';
const below =
  '(?:(?:less|fewer|lower|smaller|shorter|lighter|earlier|sooner|younger|narrower|cooler|colder|slower|thinner)\\s+than|under|below|beneath|short\\s+of|<)';
const limitNoun = '(?:limit|cap|ceiling|upper\\s+limit|maximum|max\\.?)';
const floorNoun = '(?:lower\\s+limit|floor|minimum|min\\.?)';
const link = '(?:\\s*(?:is|are|was|were|of|at|to|be|:|=|set\\s+at|set\\s+to|remains|stays|as|by))?';
const nounPhrase = '(?:\\s+(?!(?:is|are|was|were|of|at|and|or|but|if|when)\\s)[\\p{L}-]+){0,4}';
const filler =
  '(?:\\s*(?:of|a|an|the|about|only|just|a\\s+total\\s+of|one\\s+of|by|at|to|from|level\\s+of|:|=|\\(|about|around|approximately))*\\s*$';

const anchored = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})${filler}`, 'iu');
const negated = (core: string): RegExp => anchored(`${negator}(?:\\s+${light}){0,4}\\s+${core}|not\\s+to\\s+${core}`);

/** Read from the words before the value, first match wins: negated comparisons come before the plain ones that they hold. */
const leading: [RegExp, Bound][] = [
  [negated(above), 'max'],
  [negated(below), 'min'],
  [
    anchored(
      '≤|<=|at\\s+(?:the\\s+)?(?:very\\s+)?most|up\\s+to|as\\s+(?:much|many|long|high|far|late)\\s+as|(?:limited|capped|restricted)\\s+(?:to|at)|within|not\\s+after|no\\s+later|until|till|by\\s+no\\s+later\\s+than',
    ),
    'max',
  ],
  [
    anchored(
      '≥|>=|at\\s+(?:the\\s+)?(?:very\\s+)?least|as\\s+(?:little|few|low|early)\\s+as|starting\\s+(?:at|from)|from\\s+at\\s+least|not\\s+before|no\\s+earlier|since',
    ),
    'min',
  ],
  [anchored(`(?:${limitNoun})${nounPhrase}${link}`), 'max'],
  [anchored(`(?:${floorNoun})${nounPhrase}${link}`), 'min'],
  [anchored(above), 'above'],
  [anchored(`after`), 'above'],
  [anchored(below), 'below'],
  [anchored('before|prior\\s+to'), 'below'],
  [
    /(?:(?<![\p{L}\p{N}])(?:about|around|approximately|approx\.?|roughly|circa|ca\.?|c\.|nearly|almost|close\s+to|some|an?\s+estimated|estimated\s+(?:at|to\s+be)|on\s+average|averag(?:e|es|ing))|[~≈])\s*(?:of|a|an|the|at|is)?\s*$/iu,
    'about',
  ],
];

const unitWords = '(?:\\s+(?!and\\b|or\\b|is\\b|are\\b)[\\p{L}]+){0,3}?';
const trailing: [RegExp, Bound][] = [
  [
    new RegExp(
      `^${unitWords}\\s*,?\\s*(?:or|and)\\s+(?:less|fewer|below|under|lower|younger|smaller|shorter|earlier|lighter|sooner|cheaper)(?![\\p{L}])(?!\\s+than)`,
      'iu',
    ),
    'max',
  ],
  [
    new RegExp(
      `^${unitWords}\\s*,?\\s*(?:or|and)\\s+(?:more|above|over|higher|greater|older|longer|upwards?|up|later|beyond|larger|bigger|heavier|onwards?)(?![\\p{L}])(?!\\s+than)`,
      'iu',
    ),
    'min',
  ],
  [/^\s?\+(?!\s?\d)/u, 'min'],
  [/^\s*(?:and\s+)?onwards?\b/iu, 'min'],
  [
    new RegExp(
      `^${unitWords}\\s*,?\\s*\\(?(?:at\\s+(?:the\\s+)?(?:very\\s+)?most|max(?:imum|\\.)?|tops)(?![\\p{L}])(?!\\s+(?:[\\p{L}]+\\s+(?:is|of|are)|\\d))`,
      'iu',
    ),
    'max',
  ],
  [
    new RegExp(
      `^${unitWords}\\s*,?\\s*\\(?(?:at\\s+(?:the\\s+)?(?:very\\s+)?least|min(?:imum|\\.)?)(?![\\p{L}])(?!\\s+(?:[\\p{L}]+\\s+(?:is|of|are)|\\d))`,
      'iu',
    ),
    'min',
  ],
  [
    new RegExp(
      `^\\s*(?:is|are|was|were|as|being)\\s+(?:the|a|an|its|our|their)\\s+(?:\\p{L}+\\s+)?${limitNoun}(?![\\p{L}])`,
      'iu',
    ),
    'max',
  ],
  [
    new RegExp(
      `^\\s*(?:is|are|was|were|as|being)\\s+(?:the|a|an|its|our|their)\\s+(?:\\p{L}+\\s+)?${floorNoun}(?![\\p{L}])`,
      'iu',
    ),
    'min',
  ],
];

/** Every bound holds one of these; most values have none near, and are settled by this alone. */
const leadingHint =
  /[<>≤≥~≈]|than|exceed|excess|surpass|upward|beyond|over|above|under|below|beneath|short|most|least|up\s+to|much|many|long|high|far|late|little|few|low|earl|limit|cap|ceiling|max|min|floor|restrict|within|after|until|till|starting|before|since|prior|about|around|approx|rough|circa|c\.|ca\s|near|almost|close|some|estimat|averag/i;
const trailingHint = /\+|or\s|and\s|onward|most|least|max|min|tops|limit|cap|ceiling|floor/i;

/** The bound that the text puts on the value written from `start` to `end`. English only: other languages give `exact`. */
export function boundAt(text: string, start: number, end: number): BoundMatch {
  const from = sentenceStart(text, start);
  const lead = text.slice(from, start);
  const rest = text.slice(end, end + 60);
  for (const [regex, bound] of leadingHint.test(lead) ? leading : []) {
    const match = regex.exec(lead);
    if (match && !isNoBound(match[0], lead)) return { bound, start: from + match.index, end };
  }
  for (const [regex, bound] of trailingHint.test(rest) ? trailing : []) {
    const match = regex.exec(rest);
    if (match) return { bound, start, end: end + match[0].length };
  }
  return { bound: 'exact', start, end };
}

/**
 * Whether a statement's bound follows from its source's, for one value. Dropping or adding a bound is refused, since "12 %" and "at most 12 %"
 * are different claims; so is hardening "about". "At most" follows from "under", "at least" from "over", "about" from the exact value.
 */
export function boundHolds(said: Bound, source: Bound): boolean {
  if (said === source) return true;
  if (said === 'about') return source === 'exact';
  return (said === 'max' && source === 'below') || (said === 'min' && source === 'above');
}

/** Whether two bounds point in opposite directions. */
export function boundsOppose(a: Bound, b: Bound): boolean {
  const upper = (bound: Bound): boolean => bound === 'max' || bound === 'below';
  const lower = (bound: Bound): boolean => bound === 'min' || bound === 'above';
  return (upper(a) && lower(b)) || (lower(a) && upper(b));
}

function sentenceStart(text: string, at: number): number {
  const lead = text.slice(Math.max(0, at - 80), at);
  const stop = Math.max(
    lead.lastIndexOf('; '),
    lead.lastIndexOf('\n'),
    lead.search(/[.!?]\s+(?=\p{Lu})[^.!?]*$/u),
    lead.lastIndexOf('|'),
  );
  return at - lead.length + (stop < 0 ? 0 : stop + 1);
}

/** "no doubt over 5", "over the past 5 years" limit nothing. */
function isNoBound(phrase: string, lead: string): boolean {
  if (/^(?:over|under|beyond|after|before)\s+(?:the|a|an)\s*$/i.test(phrase)) return true;
  return /\b(?:in|as|see|shown|listed|described)\s+(?:above|below|under)\s*$/i.test(lead);
}
