const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A full stop after one of these does not end a sentence. */
const abbreviation =
  /(?:^|[\s([“"'])(?:e\.g|i\.e|etc|cf|vs|approx|ca|no|nos|nr|art|sec|fig|figs|eq|p|pp|vol|ed|dr|mr|mrs|ms|prof|st|ltd|inc|co|corp|dept|est|min|max|incl|excl|resp|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|[a-z])\.$/i;

/** Characters at the end of a sentence that tell whether it goes on: more than the longest abbreviation with what stands before it. */
const tailLength = 40;

export interface Span {
  start: number;
  end: number;
}

/** Sentences of a text as spans without surrounding white space (UTF-16 code units). Honours 。！？ and common abbreviations. */
export function sentences(text: string): Span[] {
  const spans: Span[] = [];
  let open: number | null = null;
  for (const { segment, index } of segmenter.segment(text)) {
    const from: number = open ?? index;
    const end = index + segment.length;
    const endsLine = /\n\s*$/.test(segment);
    if (!endsLine && end < text.length && goesOn(tailOf(text, from, end), text.slice(end))) {
      open = from;
      continue;
    }
    open = null;
    push(spans, text, { start: from, end });
  }
  if (open !== null) push(spans, text, { start: open, end: text.length });
  return spans;
}

/** Without the white space at its end. An open sentence may be as long as the text: testing all of it each time would take the square of that. */
function tailOf(text: string, from: number, end: number): string {
  return text.slice(from, end).trimEnd().slice(-tailLength);
}

function goesOn(tail: string, rest: string): boolean {
  if (abbreviation.test(tail)) {
    // "No. 5", "e.g. the", "J. Smith" go on; "… in vol. The" would need meaning to decide, and joining two sentences is the lesser fault.
    return true;
  }
  return /^\p{Ll}/u.test(rest) && /(?:\.|[.!?]["”’'])$/.test(tail);
}

function push(spans: Span[], text: string, { start, end }: Span): void {
  const raw = text.slice(start, end);
  const lead = raw.length - raw.trimStart().length;
  const trimmed = raw.trim();
  if (trimmed.length > 0) spans.push({ start: start + lead, end: start + lead + trimmed.length });
}
