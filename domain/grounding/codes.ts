import type { Premise } from './premise.ts';
import type { Reading } from './reading.ts';
import { fails, shown, type Finding } from './rule.ts';
import { betterMatchElsewhere } from './binding.ts';
import type { Span } from '../text/sentences.ts';

/** Every identifier of a statement must stand in the source to the letter: case, slash, hyphen and leading zero count. */
export function checkCodes(statement: Reading, premise: Premise): Finding | null {
  let note: Finding | null = null;
  for (const code of statement.identifiers) {
    const inQuotes = places(premise.quoted.text, code);
    if (inQuotes.length > 0) {
      const others = premise.quoted.identifiers
        .filter((other) => other !== code)
        .flatMap((other) => places(premise.quoted.text, other));
      const said = places(statement.text, code)[0];
      const better =
        said && betterMatchElsewhere({ statement, value: said }, premise.quoted, { holds: inQuotes, rivals: others });
      if (better)
        return fails(
          `${shown(code)} stands for something else; here the source has ${shown(premise.quoted.text.slice(better.start, better.end))}`,
        );
    } else if (premise.quoted.identifiers.includes(code)) {
      continue;
    } else if (places(premise.passage.text, code).length > 0 || places(premise.context.text, code).length > 0) {
      note ??= { verdict: 'holds', note: `${shown(code)} stands outside of the quote` };
    } else return fails(`the identifier ${shown(code)} is not in the source`);
  }
  return note;
}

/** Where a code stands as a whole: E-0417/b is not in E-0417/bc. */
function places(text: string, code: string): Span[] {
  const escaped = code.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}])(?<![\\p{L}\\p{N}][-/_.])${escaped}(?![\\p{L}\\p{N}])(?![-/_][\\p{L}\\p{N}])`,
    'gu',
  );
  return [...text.matchAll(whole)].map(({ index }) => ({ start: index, end: index + code.length }));
}
