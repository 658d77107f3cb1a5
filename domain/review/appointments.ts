import type { ReviewPolicy } from '../contracts/review-policy.ts';

export interface Appointment {
  /** In ms, as `Date.now()`. */
  at: number;
  what: 'remind' | 'escalate' | 'deadline';
}

/** What is to be done while a review waits, in order of time; the deadline is the last. Reminders and an escalation after it fall away. */
export function appointmentsOf(policy: ReviewPolicy, openedAt: number): Appointment[] {
  const after = (minutes: number) => openedAt + minutes * 60_000;
  const deadline = after(policy.deadlineMinutes);
  const before: Appointment[] = [
    ...policy.remindAfterMinutes.map((minutes) => ({ at: after(minutes), what: 'remind' as const })),
    ...(policy.escalate === null ? [] : [{ at: after(policy.escalate.afterMinutes), what: 'escalate' as const }]),
  ];
  return [
    ...before.filter(({ at }) => at < deadline).sort((a, b) => a.at - b.at),
    { at: deadline, what: 'deadline' as const },
  ];
}
