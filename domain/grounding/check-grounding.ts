import type { Grounding, Statement } from '../contracts/answer.ts';
import { numberStyle } from '../text/number-style.ts';
import { checkContent } from './content.ts';
import { hardRules } from './hard-rules.ts';
import {
  locateQuote,
  premiseOf,
  type GroundingCitation,
  type GroundingSource,
  type Premise,
  type Quote,
} from './premise.ts';
import { readText } from './reading.ts';
import { checkRow } from './table-rows.ts';

export type GroundingStatement = { text: Statement['text']; citations: readonly number[] };
type Judgement = Grounding['statements'][number];

/**
 * Checks each statement of an answer against the quotes that it cites, by rules alone; the same input gives the same result. Status `pass`:
 * all are supported; `fail`: none is (or there is none); else `needs_revision`. Numbers, dates in digits and identifiers are checked in any
 * language; words of negation, bounds, direction and modality are English.
 */
export function checkGrounding(
  statements: readonly GroundingStatement[],
  citations: readonly GroundingCitation[],
  sources: ReadonlyMap<string, GroundingSource> | Readonly<Record<string, GroundingSource>>,
): Grounding {
  const bySource = sources instanceof Map ? sources : new Map(Object.entries(sources));
  const judged = statements.map((statement) => judge(statement, citations, bySource));
  const supported = judged.filter((one) => one.supported).length;
  const status = supported === 0 ? 'fail' : supported === judged.length ? 'pass' : 'needs_revision';
  return { status, method: 'rules', statements: judged };
}

function judge(
  statement: GroundingStatement,
  citations: readonly GroundingCitation[],
  sources: ReadonlyMap<string, GroundingSource>,
): Judgement {
  if (statement.citations.length === 0) return unsupported('the statement has no citation');
  const quotes: Quote[] = [];
  for (const n of statement.citations) {
    const citation = citations.find((one) => one.n === n);
    if (!citation) return unsupported(`citation [${n}] does not exist`);
    const source = sources.get(citation.evidenceId);
    if (!source) return unsupported(`citation [${n}] is of evidence that was not given`);
    const quote = locateQuote(citation, source);
    if (!quote) return unsupported(`the quote of citation [${n}] is not in its source word for word`);
    quotes.push(quote);
  }
  return judgeByQuotes(statement.text, premiseOf(quotes), quotes);
}

function judgeByQuotes(text: string, premise: Premise, quotes: readonly Quote[]): Judgement {
  if (quotes.some((quote) => quote.isWhole && flat(quote.text) === flat(text)))
    return { supported: true, reason: 'word for word' };
  if (!/[\p{L}\p{N}]/u.test(text)) return unsupported('the statement says nothing that can be checked');
  const row = checkRow(text, premise);
  if (row) return row.verdict === 'holds' ? { supported: true, reason: row.note } : unsupported(row.reason);
  const reading = readText(text, { order: premise.hints.order, style: numberStyle(text) ?? premise.hints.style });
  let note = 'all rules hold';
  for (const rule of [...hardRules, checkContent]) {
    const finding = rule(reading, premise);
    if (finding?.verdict === 'fails') return unsupported(finding.reason);
    if (finding && note === 'all rules hold') note = finding.note;
  }
  return { supported: true, reason: note };
}

/** White space and the sign that ends a sentence make no difference. */
function flat(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=.)[.;:]$/, '');
}

function unsupported(reason: string): Judgement {
  return { supported: false, reason };
}
