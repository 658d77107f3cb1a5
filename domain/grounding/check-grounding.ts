import type { Grounding, Statement } from '../contracts/answer.ts';
import { numberStyle } from '../text/number-style.ts';
import { checkContent } from './content.ts';
import { finalRules, hardRules } from './hard-rules.ts';
import {
  locateQuote,
  premiseOf,
  type GroundingCitation,
  type GroundingSource,
  type Premise,
  type Quote,
} from './premise.ts';
import { readText, type Reading } from './reading.ts';
import type { Rule } from './rule.ts';
import { checkRow } from './table-rows.ts';

export type GroundingStatement = { text: Statement['text']; citations: readonly number[] };
type Sources = ReadonlyMap<string, GroundingSource> | Readonly<Record<string, GroundingSource>>;
type Judgement = Grounding['statements'][number];

/**
 * What the rules say of a statement when somebody else has the last word. `certain`: it is in its source word for word. `refused`: for good.
 * `open`: a paraphrase or an inference, which `premise`, the sentences quoted from, may support.
 */
export type RuleVerdict = { verdict: 'certain' | 'refused'; reason: string } | { verdict: 'open'; premise: string };

/**
 * Checks each statement of an answer against the quotes that it cites, by rules alone; the same input gives the same result. Status `pass`:
 * all are supported; `fail`: none is (or there is none); else `needs_revision`. Numbers, dates in digits and identifiers are checked in any
 * language; words of negation, bounds, direction and modality are English.
 */
export function checkGrounding(
  statements: readonly GroundingStatement[],
  citations: readonly GroundingCitation[],
  sources: Sources,
): Grounding {
  const bySource = mapOf(sources);
  const judged = statements.map((statement) => {
    const read = readStatement(statement, { citations, bySource });
    if ('verdict' in read) return judgement(read);
    const { reason, note } = firstObjection(read, [...hardRules, checkContent]);
    return reason === null ? { supported: true, reason: note ?? 'all rules hold' } : { supported: false, reason };
  });
  return groundingOf(judged, 'rules');
}

/** One verdict a statement, in order: what the rules settle, and what a model has to judge. */
export function checkBeforeModel(
  statements: readonly GroundingStatement[],
  citations: readonly GroundingCitation[],
  sources: Sources,
): RuleVerdict[] {
  const bySource = mapOf(sources);
  return statements.map((statement) => {
    const read = readStatement(statement, { citations, bySource });
    if ('verdict' in read) return read;
    const { reason } = firstObjection(read, finalRules);
    return reason === null ? { verdict: 'open', premise: read.premise.quoted.text } : refused(reason);
  });
}

function mapOf(sources: Sources): ReadonlyMap<string, GroundingSource> {
  return sources instanceof Map ? sources : new Map(Object.entries(sources));
}

export function groundingOf(judged: Judgement[], method: Grounding['method']): Grounding {
  const supported = judged.filter((one) => one.supported).length;
  const status = supported === 0 ? 'fail' : supported === judged.length ? 'pass' : 'needs_revision';
  return { status, method, statements: judged };
}

/** The reason where a statement is a whole quote. */
export const wordForWord = 'word for word';

interface Read {
  reading: Reading;
  premise: Premise;
}
type Settled = Extract<RuleVerdict, { reason: string }>;

function judgement({ verdict, reason }: Settled): Judgement {
  return { supported: verdict === 'certain', reason };
}

function readStatement(
  { text, citations: cited }: GroundingStatement,
  given: { citations: readonly GroundingCitation[]; bySource: ReadonlyMap<string, GroundingSource> },
): Settled | Read {
  if (cited.length === 0) return refused('the statement has no citation');
  const quotes: Quote[] = [];
  for (const n of cited) {
    const citation = given.citations.find((one) => one.n === n);
    if (!citation) return refused(`citation [${n}] does not exist`);
    const source = given.bySource.get(citation.evidenceId);
    if (!source) return refused(`citation [${n}] is of evidence that was not given`);
    const quote = locateQuote(citation, source);
    if (!quote) return refused(`the quote of citation [${n}] is not in its source word for word`);
    quotes.push(quote);
  }
  if (quotes.some((quote) => quote.isWhole && flat(quote.text) === flat(text)))
    return { verdict: 'certain', reason: wordForWord };
  if (!/[\p{L}\p{N}]/u.test(text)) return refused('the statement says nothing that can be checked');
  const premise = premiseOf(quotes);
  const row = checkRow(text, premise);
  if (row) return row.verdict === 'holds' ? { verdict: 'certain', reason: row.note } : refused(row.reason);
  const hints = { order: premise.hints.order, style: numberStyle(text) ?? premise.hints.style };
  return { reading: readText(text, hints), premise };
}

/** Why the first rule that objects does so, and what the first that has something to remark remarks. */
function firstObjection(
  { reading, premise }: Read,
  rules: readonly Rule[],
): { reason: string | null; note: string | null } {
  let note: string | null = null;
  for (const rule of rules) {
    const finding = rule(reading, premise);
    if (finding?.verdict === 'fails') return { reason: finding.reason, note };
    note ??= finding?.note ?? null;
  }
  return { reason: null, note };
}

/** White space and the sign that ends a sentence make no difference. */
function flat(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=.)[.;:]$/, '');
}

function refused(reason: string): Settled {
  return { verdict: 'refused', reason };
}
