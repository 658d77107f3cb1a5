import {
  ActivityFailure,
  CancellationScope,
  condition,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnswerActivities } from '../../activities/index.ts';
import type { NotificationType, ReviewNotification } from '../../domain/contracts/notification.ts';
import type { ReviewSummary } from '../../domain/contracts/review.ts';
import { questionIdOf } from '../../domain/rules/workflow-ids.ts';
import { notificationId } from '../../domain/rules/notification-id.ts';
import { deliverNotification } from '../deliver-notification.ts';
import { typeOf } from './steps.ts';
import type { RunState } from './state.ts';

/** While the run waits: receivers may be away for hours. */
const { notifyReviewer } = proxyActivities<AnswerActivities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '15s',
  summary: 'tell reviewers',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m', maximumAttempts: 60 },
});

/** How long an ended run waits for its last notices before others take them over, in ms. */
const patienceMs = 2000;

/** How long a run waits until a decision is told before it goes on with it, in ms. */
const takenMs = 100;

/** Tells people about a review while the run goes its way; nothing of it holds the run up or fails it. */
export class ReviewNotices {
  private readonly state: RunState;
  private readonly lost: (why: string) => void;
  private readonly underWay = new Map<string, ReviewNotification>();
  private readonly counts = new Map<string, number>();

  constructor(state: RunState, lost: (why: string) => void) {
    this.state = state;
    this.lost = lost;
  }

  send(type: NotificationType, { round, reason, groups, deadline, decided }: ReviewSummary): void {
    const { tenant } = this.state.input.access;
    const { workflowId, runId } = workflowInfo();
    const questionId = questionIdOf(tenant, workflowId);
    const decision = type === 'review.decided' && decided ? { kind: decided.kind, by: decided.by } : null;
    const at = new Date(Date.now()).toISOString();
    const id = notificationId({ questionId, round, type }, { runId, nth: this.nth(round, type) });
    const notification = { id, type, at, tenant, questionId, round, reason, groups, deadline, decision };
    this.underWay.set(id, notification);
    // Handled here in every way, so that it cannot fail the run.
    void CancellationScope.nonCancellable(() => notifyReviewer({ notification })).then(
      () => this.underWay.delete(id),
      (error: unknown) => {
        this.underWay.delete(id);
        this.lost(`not told (${type}): ${error instanceof ActivityFailure ? typeOf(error) : 'Internal'}`);
      },
    );
  }

  /**
   * Resolves in a later workflow task than this one: when what is under way has left, or soon if it does not. Not by a timer alone: the embedded server
   * looks at timers once a second, so a run may go on a second later where a receiver is slow.
   */
  async taken(): Promise<void> {
    await condition(() => this.underWay.size === 0, takenMs);
  }

  private nth(round: number, type: NotificationType): number {
    const key = `${round} ${type}`;
    const nth = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, nth);
    return nth;
  }

  /** At the run's end: what does not leave at once is sent by runs of their own. */
  async leave(): Promise<void> {
    await CancellationScope.nonCancellable(async () => {
      if (this.underWay.size === 0 || (await condition(() => this.underWay.size === 0, patienceMs))) return;
      for (const notification of this.underWay.values())
        await startChild(deliverNotification, {
          args: [notification],
          workflowId: `notification.${notification.id}`,
          parentClosePolicy: ParentClosePolicy.ABANDON,
        });
    });
  }
}
