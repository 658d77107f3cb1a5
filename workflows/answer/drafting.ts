import type { Citation, Grounding, Outcome, Statement } from '../../domain/contracts/answer.ts';
import type { Conflict, KeptStrip } from '../../domain/contracts/evidence.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import { renumber } from '../../domain/rules/extractive.ts';
import { wholePassages } from '../../domain/rules/whole-passages.ts';
import type { Draft } from './outcome.ts';
import type { RunState } from './state.ts';
import { freePlayer, goOnWithout, isFreePlayer, orByFreePlayer, playerOf, runStep } from './steps.ts';

/** The strips to answer from. When refining fails, the relevant passages go in whole, within the budget. */
export async function refine(state: RunState): Promise<{ strips: KeptStrip[]; conflicts: Conflict[] }> {
  const { analysis, input } = state;
  const passages = state.keptEvidence();
  if (analysis === null || passages.length === 0) return { strips: [], conflicts: [] };
  const refiner = playerOf(state, 'refine');
  try {
    const { strips, conflicts } = await runStep(state, 'refine', {
      input: {
        access: input.access,
        analysis,
        passages,
        decided: state.decidedStrips(),
        refine: input.policy.refine,
        refiner,
        generator: playerOf(state, 'generate'),
      },
      summary: `cut ${passages.length} passages down to what speaks to the question`,
      done: (output) => `${output.strips.length} strips, ${output.tokens} tokens`,
      here: refiner.provider === 'local',
    });
    state.decide(
      passages.map(({ id }) => id),
      strips,
    );
    state.refined(strips, conflicts);
    return { strips, conflicts };
  } catch (error) {
    goOnWithout(state, error, { step: 'refine', instead: 'relevant passages as a whole' });
    const strips = wholePassages(state.relevantEvidence(), input.policy.refine.contextTokens);
    state.refined(strips, []);
    return { strips, conflicts: [] };
  }
}

/**
 * A draft whose every statement passed the grounding check, or null. What fails is left out of a bounded number of revisions; what still fails then
 * is dropped, and with nothing left there is no answer. An ungrounded statement never leaves.
 */
export async function draft(
  state: RunState,
  evidence: { strips: KeptStrip[]; conflicts: Conflict[] },
): Promise<{ draft: Draft | null; grounding: Grounding | null }> {
  let refused: Span[] = [];
  let reasons: string[] = [];
  let last: Checked | null = null;
  for (let revision = 0; revision <= state.input.policy.grounding.revisions; revision++) {
    const written = await nextDraft(state, evidence, { refused, reasons, last });
    if (written === null || (written.statements.length === 0 && written.dropped === 0)) break;
    const { statements, citations, unanswered, dropped } = written;
    state.unanswered(unanswered);
    const { grounding, final } = await checkGrounding(state, statements, citations);
    last = { statements, citations, dropped, grounding };
    if (grounding.status === 'pass') return { draft: last, grounding };
    if (final) break;
    refused = [...refused, ...unsupportedSpans(last)];
    reasons = unsupportedReasons(last);
  }
  if (last === null) return { draft: null, grounding: null };
  state.takeBackText('not all of it is supported by its sources');
  return { draft: supportedOnly(last), grounding: last.grounding };
}

/** Null when a revision cannot be written and the draft before has statements that hold: these stand. Without such, the failure is the run's. */
async function nextDraft(
  state: RunState,
  evidence: { strips: KeptStrip[]; conflicts: Conflict[] },
  { refused, reasons, last }: { refused: Span[]; reasons: string[]; last: Checked | null },
) {
  try {
    return await generate(state, evidence, { refused, reasons });
  } catch (error) {
    if (last === null || supportedOnly(last) === null) throw error;
    goOnWithout(state, error, { step: 'generate', instead: 'the grounded part of the first draft' });
    return null;
  }
}

interface Span {
  documentId: string;
  start: number;
  end: number;
}

type Checked = Draft & { grounding: Grounding };

function unsupportedSpans({ statements, citations, grounding }: Checked): Span[] {
  const failed = statements.filter((_, index) => grounding.statements[index]?.supported !== true);
  const numbers = new Set(failed.flatMap((statement) => statement.citations));
  return citations.filter(({ n }) => numbers.has(n)).map(({ documentId, start, end }) => ({ documentId, start, end }));
}

/** What the next draft is told: each refused statement with what is wrong with it. */
function unsupportedReasons({ statements, grounding, dropped }: Checked): string[] {
  const refused = statements.flatMap(({ text }, index) => {
    const judged = grounding.statements[index];
    return judged?.supported === true ? [] : [`"${text}": ${judged?.reason ?? 'not checked'}`];
  });
  return dropped === 0
    ? refused
    : [...refused, `${dropped} statement(s) named no source that was given, or were too many`];
}

function supportedOnly({ statements, citations, dropped, grounding }: Checked): Draft | null {
  const supported = (index: number) => grounding.statements[index]?.supported === true;
  const kept = renumber(
    statements.filter((_, index) => supported(index)),
    citations,
  );
  if (kept.statements.length === 0) return null;
  const checks = grounding.statements.filter(({ supported: ok }) => ok);
  return {
    ...kept,
    dropped: dropped + statements.length - kept.statements.length,
    grounding: { ...grounding, status: 'pass', statements: checks },
  };
}

async function generate(
  state: RunState,
  evidence: { strips: KeptStrip[]; conflicts: Conflict[] },
  { refused, reasons }: { refused: Span[]; reasons: string[] },
) {
  const { access, question, policy } = state.input;
  return runStep(state, 'generate', {
    input: {
      access,
      question,
      language: state.analysis?.language ?? 'und',
      aspects: state.aspects,
      strips: evidence.strips,
      conflicts: evidence.conflicts,
      generate: policy.generate,
      generator: playerOf(state, 'generate'),
      refused,
      revision: reasons.length === 0 ? null : { reasons },
    },
    summary:
      reasons.length === 0
        ? `answer from ${evidence.strips.length} strips`
        : 'answer again without what was not grounded',
    done: ({ statements, dropped }) =>
      `${statements.length} statements${dropped === 0 ? '' : `, ${dropped} left out: no given source`}`,
  });
}

/** Reads the cited passages once more and checks the statements against them. Fails as `Evidence.Gone` where one is there no more. */
export async function checkAgain(state: RunState, { statements, citations }: Outcome): Promise<void> {
  await runStep(state, 'check-grounding', {
    input: {
      access: state.input.access,
      statements,
      citations,
      checker: freePlayer('check'),
      grounding: state.input.policy.grounding,
    },
    summary: 'check that the quoted sources are still there',
    done: (output) => output.grounding.status,
  });
}

/**
 * Rules alone judge where the checking model fails for good: what they find in the quotes stands, and `final` says that another draft would fare no
 * better. Nothing counts as grounded where the rules could not run either.
 */
async function checkGrounding(
  state: RunState,
  statements: Statement[],
  citations: Citation[],
): Promise<{ grounding: Grounding; final: boolean }> {
  if (statements.length === 0) return { grounding: unchecked([]), final: false };
  let final = false;
  const by = async (checker: ModelChoice) => {
    final = checker !== player;
    const { grounding } = await runStep(state, 'check-grounding', {
      input: { access: state.input.access, statements, citations, checker, grounding: state.input.policy.grounding },
      summary: `check ${statements.length} statements against their quotes`,
      done: (output) => output.grounding.status,
      here: isFreePlayer('check', checker),
    });
    return grounding;
  };
  const player = playerOf(state, 'check');
  const step = 'check-grounding';
  try {
    const grounding = await orByFreePlayer(state, by, {
      role: 'check',
      player,
      step,
      instead: 'checked by rules alone',
    });
    return { grounding, final };
  } catch (error) {
    goOnWithout(state, error, { step, instead: 'no statement counts as grounded' });
    return { grounding: unchecked(statements), final: true };
  }
}

function unchecked(statements: Statement[]): Grounding {
  const judged = statements.map(() => ({ supported: false, reason: 'the grounding check could not run' }));
  return { status: 'fail', method: 'rules', statements: judged };
}
