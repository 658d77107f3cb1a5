import type { Citation, GradedEvidence, Outcome, Usage } from './contracts/answer.ts';
import type { ComparedCitation, ComparedPassage, ComparedRun, Comparison } from './contracts/comparison.ts';
import type { Figures, GradeOfRun, Sides } from './contracts/comparison.ts';
import { overlap } from './rules/overlap.ts';

/** What two runs did alike and otherwise. The same two the other way round give the same with first and second swapped, but for the order of `both`. */
export function compareOutcomes(first: ComparedRun, second: ComparedRun): Comparison {
  const ofRuns = <T>(read: (run: ComparedRun) => T | null): Sides<T> => ({ first: read(first), second: read(second) });
  const told = <T>(read: (outcome: Outcome) => T | null) => ofRuns(({ outcome }) => outcome && read(outcome));
  const spent = (read: (usage: Usage) => number) => figures(ofRuns(({ usage }) => usage && read(usage)));
  const both = bothOutcomes(first, second);
  const answer = told((outcome) => outcome.answer);
  return {
    question: ofRuns(({ question }) => question),
    status: ofRuns(({ status }) => status),
    verdict: told(({ verdict }) => verdict),
    quality: told(({ quality: { status, missingAspects } }) => ({ status, missingAspects })),
    reason: ofRuns(({ reason }) => reason),
    policy: told(({ versions }) => versions.policy),
    models: both && differingModels(both),
    evidence: both && evidenceOf(both),
    answer: { ...answer, same: both !== null && answer.first === answer.second },
    limitation: told(({ limitation }) => limitation),
    statements: both && statementsOf(both),
    citations: both && citationsOf(both),
    corrections: told(({ ledger }) => ledger.map(({ tier }) => tier)),
    degraded: told(({ degraded }) => degraded),
    costUsd: { ...spent(({ costUsd }) => costUsd), estimated: ofRuns(({ usage }) => usage && usage.estimated) },
    tokens: { input: spent(({ inputTokens }) => inputTokens), output: spent(({ outputTokens }) => outputTokens) },
    totalMs: told(({ timings }) => timings.totalMs),
  };
}

type Outcomes = readonly [Outcome, Outcome];

function bothOutcomes({ outcome: first }: ComparedRun, { outcome: second }: ComparedRun): Outcomes | null {
  return first && second && [first, second];
}

/** To the millionth: a difference of dollars is to have no tail of binary fractions, and no negative zero. */
function figures({ first, second }: Sides<number>): Figures {
  const difference = first === null || second === null ? null : Math.round((second - first) * 1e6) / 1e6 + 0;
  return { first, second, difference };
}

function differingModels([{ versions: first }, { versions: second }]: Outcomes): Record<string, Sides<string>> {
  const roles = new Set([...Object.keys(first.models), ...Object.keys(second.models)]);
  const sides = [...roles].map(
    (role) => [role, { first: first.models[role] ?? null, second: second.models[role] ?? null }] as const,
  );
  return Object.fromEntries(sides.filter(([, side]) => side.first !== side.second));
}

function evidenceOf([first, second]: Outcomes): Comparison['evidence'] {
  const { both, onlyFirst, onlySecond } = overlap(
    [first.evidence, second.evidence],
    ({ id }) => id,
    (one, other) => ({ ...passageOf(one), first: gradeOf(one), second: gradeOf(other) }),
  );
  const alone = (one: GradedEvidence) => ({ ...passageOf(one), ...gradeOf(one) });
  return { both, onlyFirst: onlyFirst.map(alone), onlySecond: onlySecond.map(alone) };
}

function passageOf({ id, origin, documentId, title, section }: GradedEvidence): ComparedPassage {
  return { id, origin, documentId, title, section };
}

function gradeOf({ score, label, used }: GradedEvidence): GradeOfRun {
  return { score, label, used };
}

function statementsOf([first, second]: Outcomes): Comparison['statements'] {
  const texts = ({ statements }: Outcome) => statements.map(({ text }) => text);
  return overlap(
    [texts(first), texts(second)],
    (text) => text,
    (text) => text,
  );
}

function citationsOf([first, second]: Outcomes): Comparison['citations'] {
  const spans = ({ citations }: Outcome) => citations.map(spanOf);
  return overlap(
    [spans(first), spans(second)],
    ({ documentId, start, end, quote }) => JSON.stringify([documentId, start, end, quote]),
    (span) => span,
  );
}

function spanOf({ documentId, title, section, page, start, end, quote }: Citation): ComparedCitation {
  return { documentId, title, section, page, start, end, quote };
}
