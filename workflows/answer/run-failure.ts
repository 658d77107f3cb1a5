import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { Usage } from '../../domain/contracts/answer.ts';
import { typeOf } from './steps.ts';

/** The type of a run that nobody decided on in time, where its policy wants it to fail. */
const expiredType = 'Review.Expired';

export function reviewExpired(deadline: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: expiredType,
    message: `nobody decided the review until ${deadline}`,
    nonRetryable: true,
  });
}

/**
 * A run fails with the dotted type of the activity that failed, so that people can find and resume all that failed for one reason. Null for a defect
 * of the workflow's own code: that fails the task, not the run, and goes on after a fix.
 */
export function runFailure(error: unknown, usage: Usage): ApplicationFailure | null {
  const details = [{ usage }];
  if (error instanceof ApplicationFailure && error.type === expiredType)
    return ApplicationFailure.create({ type: expiredType, message: error.message, nonRetryable: true, details });
  if (!(error instanceof ActivityFailure)) return null;
  const { cause, activityType } = error;
  const known = cause instanceof ApplicationFailure;
  return ApplicationFailure.create({
    type: known ? (cause.type ?? 'Internal') : typeOf(error),
    message: known ? cause.message : `${activityType} did not finish within its limits`,
    nonRetryable: true,
    cause: error,
    details,
  });
}
