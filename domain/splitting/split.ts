import type { Passage, Strip } from '../contracts/document.ts';
import type { ParsedDocument } from '../contracts/parsed-document.ts';
import type { Span } from '../text/sentences.ts';
import { passageContext, sectionOf } from './context.ts';
import { groupUnits } from './groups.ts';
import type { DocumentIdentity, SplitterOptions } from './options.ts';
import { tokenBudget } from './options.ts';
import { packUnits } from './pack.ts';
import { documentUnits } from './units.ts';
import type { Unit } from './units.ts';

/**
 * Cuts a document by its structure into passages of about `targetTokens` tokens. All text of its blocks is in at least one passage, except
 * headings that have text below them on their page, which are in the passages' sections and contexts. Deterministic: same input, same ids.
 * @throws RangeError when the options leave no room for text.
 */
export function splitDocument(parsed: ParsedDocument, identity: DocumentIdentity, options: SplitterOptions): Passage[] {
  return [...passagesOf([...documentUnits(parsed, options)], { parsed, identity, options })];
}

/** The second half of `splitDocument`, for a caller that drew the units itself. Lazy, as they are. */
export function* passagesOf(
  units: Unit[],
  { parsed, identity, options }: { parsed: ParsedDocument; identity: DocumentIdentity; options: SplitterOptions },
): Generator<Passage> {
  const budget = tokenBudget(options);
  const runs = groupUnits(units, parsed.blocks, budget.target).flatMap((group) => packUnits(group, budget));
  for (const [ordinal, run] of runs.entries()) {
    const { start, end } = spanOf(run, parsed.text);
    const key = [identity.tenant, identity.documentId, identity.version, start, end].join('\n');
    yield {
      id: `p_${options.hash(key).slice(0, 20)}`,
      documentId: identity.documentId,
      version: identity.version,
      ordinal,
      start,
      end,
      text: parsed.text.slice(start, end),
      context: passageContext(run, { start, end }, { title: identity.title, budget, countTokens: options.countTokens }),
      section: sectionOf(run, identity.title),
      page: pageOf(run),
      strips: run.map(toStrip),
    };
  }
}

/** What a person should know about the cut; empty when every sentence, item, row and code block is whole. */
export function splitWarnings(units: Unit[]): string[] {
  const names = { sentence: 'a sentence', item: 'a list item', row: 'a table row', code: 'a code block' };
  const kinds = new Set(units.filter(({ cut }) => cut).map(({ kind }) => kind));
  return [...kinds].map((kind) => `${names[kind]} longer than the model's window was cut at word boundaries`);
}

/** From the first strip, or from its table's header row where that stands right before it. */
function spanOf(run: Unit[], text: string): Span {
  const first = run[0];
  if (first === undefined) throw new RangeError('a passage holds at least one strip');
  const end = run.reduce((latest, unit) => Math.max(latest, unit.end), first.end);
  const header = first.header;
  const adjoins = header !== null && header.end <= first.start && text.slice(header.end, first.start).trim() === '';
  return { start: adjoins ? header.start : first.start, end };
}

/** The page of most of it. Only a tiny run goes over the end of its page. */
function pageOf(run: Unit[]): number | null {
  const tokens = new Map<number | null, number>();
  for (const unit of run) tokens.set(unit.page, (tokens.get(unit.page) ?? 0) + unit.tokens);
  return [...tokens].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}

function toStrip({ start, end, kind, header }: Unit): Strip {
  return { start, end, kind, header };
}
