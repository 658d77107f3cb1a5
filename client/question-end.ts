import type { Outcome } from '../domain/contracts/answer.ts';
import type { Asked, QuestionView } from './question-view.ts';
import type { RunEnd } from './run-end.ts';

/** The run ended without an outcome. */
export class RunFailedError extends Error {
  /** Dotted type, `Run.Cancelled` for a cancelled one. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'RunFailedError';
    this.code = code;
  }
}

/** @throws RunFailedError */
export function outcomeOf(end: RunEnd<Outcome>): Outcome {
  if (end.status === 'ended') return end.result;
  if (end.status === 'cancelled') throw new RunFailedError('Run.Cancelled', 'the run was cancelled');
  throw new RunFailedError(end.reason.code, end.reason.message);
}

export function viewOfEnd(base: Asked, end: RunEnd<Outcome>): QuestionView {
  if (end.status === 'ended') return { id: base.id, ...end.result, forkOf: base.forkOf, run: base.run };
  return { ...base, ...end };
}
