import { numberStyle } from '../text/number-style.ts';
import { checkCalendar } from './calendar.ts';
import { checkCodes } from './codes.ts';
import { coverage } from './content.ts';
import { checkDirections } from './directions.ts';
import { checkFigures } from './figures.ts';
import { checkPolarity } from './polarity.ts';
import { premiseOf, type Premise } from './premise.ts';
import { readText, type Reading } from './reading.ts';

const contradictions = [checkPolarity, checkDirections];

/**
 * How far a text supports a statement, 0–1: the share of what the statement says (its distinct words of meaning, figures, dates and
 * identifiers, each one counting the same) that the text holds, halved if they contradict each other in polarity or direction.
 * A measure to rank and to compare by; whether a statement may leave is decided by `checkGrounding`. `context`: title or headings of the text.
 */
export function supportScore(statement: string, quote: string, context = ''): number {
  const premise = premiseOf([
    { text: quote, sentences: quote, isWhole: true, source: { text: quote, start: 0, context } },
  ]);
  const reading = readText(statement, {
    order: premise.hints.order,
    style: numberStyle(statement) ?? premise.hints.style,
  });
  const { told, missing } = coverage(reading, premise);
  const values = singleValues(reading);
  const wrong = values.filter((value) => !holds(value, premise)).length;
  const said = told.length + values.length;
  const share = said === 0 ? 0 : 1 - (missing.length + wrong) / said;
  return contradictions.some((rule) => rule(reading, premise)?.verdict === 'fails') ? share / 2 : share;
}

/** The statement once for each of its values, with that value alone. */
function singleValues(reading: Reading): Reading[] {
  const without: Reading = { ...reading, figures: [], moments: [], identifiers: [] };
  return [
    ...reading.figures.map((figure) => ({ ...without, figures: [figure] })),
    ...reading.moments.map((moment) => ({ ...without, moments: [moment] })),
    ...reading.identifiers.map((code) => ({ ...without, identifiers: [code] })),
  ];
}

function holds(value: Reading, premise: Premise): boolean {
  return [checkFigures, checkCalendar, checkCodes].every((rule) => rule(value, premise)?.verdict !== 'fails');
}
