import { checkGrounding } from '../../../domain/grounding/check-grounding.ts';

/** Judges one statement against a source that is quoted as a whole. */
export function judge(statement: string, source: string, context = ''): { supported: boolean; reason: string } {
  const citation = { n: 1, evidenceId: 'e', quote: source, start: 0, end: source.length };
  const [judged] = checkGrounding([{ text: statement, citations: [1] }], [citation], {
    e: { text: source, start: 0, context },
  }).statements;
  if (!judged) throw new Error('no statement was judged');
  return judged;
}
