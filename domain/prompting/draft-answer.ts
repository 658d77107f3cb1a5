import { z } from 'zod';
import type { Citation, Statement } from '../contracts/answer.ts';
import type { Conflict } from '../contracts/evidence.ts';
import type { Aspect } from '../contracts/question.ts';
import { CitationList, type QuotableStrip } from '../rules/citation-list.ts';
import { normaliseText } from '../text/normalise.ts';
import type { FencedDocument } from './fence.ts';

/** What the model is asked for, in this order: a statement's sources follow its text, so that the text can be shown while it is written. */
export const draftAnswerSchema = z.object({
  statements: z.array(z.object({ text: z.string(), sources: z.array(z.string()) })),
  unanswered: z.array(z.string()),
});
export type DraftAnswer = z.infer<typeof draftAnswerSchema>;
export type DraftStatement = DraftAnswer['statements'][number];

/** Id of a strip within the prompt. */
function sourceLabel(index: number): string {
  return `s${index + 1}`;
}

/** The strips as the model sees them: word for word, in order, under their title, section and table header. */
export function draftSources(strips: readonly QuotableStrip[]): FencedDocument[] {
  return strips.map(({ text, header, source }, index) => ({
    id: sourceLabel(index),
    context: [[source.title, source.section].filter(Boolean).join(' › '), header?.text ?? '']
      .filter(Boolean)
      .join('\n'),
    text,
  }));
}

export interface Draft {
  statements: Statement[];
  citations: Citation[];
  /** Statements that were left out: without a source that was given, without words, or beyond the limit. */
  dropped: number;
  /** Ids of the question's aspects that the model could not answer. */
  unanswered: string[];
}

/**
 * The model's statements with citations made of the strips that they name: a quote is the strip's own text, so that nothing but what was given can
 * be cited. An id that was not given is left out.
 */
export function composeDraft(
  answer: DraftAnswer,
  strips: readonly QuotableStrip[],
  { aspects, maxStatements }: { aspects: readonly Aspect[]; maxStatements: number },
): Draft {
  const byId = new Map(strips.map((strip, index) => [sourceLabel(index), strip]));
  const list = new CitationList();
  const statements: Statement[] = [];
  for (const { text, sources } of answer.statements) {
    const said = statementText(text);
    const named = [...new Set(sources)].flatMap((id) => byId.get(id.trim()) ?? []);
    if (said === '' || named.length === 0 || statements.length === maxStatements) continue;
    statements.push({ text: said, citations: [...new Set(named.flatMap((strip) => list.citeWithHeader(strip)))] });
  }
  return {
    statements,
    citations: list.all,
    dropped: answer.statements.length - statements.length,
    unanswered: aspects.map(({ id }) => id).filter((id) => answer.unanswered.includes(id)),
  };
}

const marks = /\s*\[\s*s\d+(?:\s*[,;]\s*s\d+)*\s*\]/g;

/** Colours and other orders to a terminal. */
const terminalOrders = /\u001b\[[0-?]*[ -/]*[@-~]/g;

/** One well-formed line of what can be seen, without the marks of sources that models like to put into their text. */
function statementText(text: string): string {
  const seen = normaliseText(text.toWellFormed().replace(terminalOrders, ''));
  return seen.replace(/\s+/g, ' ').replace(marks, '').trim();
}

/** One line for each contradiction between strips that are among the given. */
export function conflictNotes(conflicts: readonly Conflict[], strips: readonly QuotableStrip[]): string[] {
  const labelOf = ({ evidenceId, start }: Conflict['spans'][number]) => {
    const index = strips.findIndex((strip) => strip.evidenceId === evidenceId && strip.start === start);
    return index < 0 ? null : sourceLabel(index);
  };
  return conflicts.flatMap(({ spans, values }) => {
    const [one, other] = spans.map(labelOf);
    return one && other ? [`${one} and ${other} contradict each other: ${values[0]} against ${values[1]}`] : [];
  });
}
