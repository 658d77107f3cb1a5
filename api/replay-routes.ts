import { Router } from 'express';
import { requireOwnOrOperator } from '../client/own-or-operator.ts';
import type { PlumblineClient } from '../client/plumbline-client.ts';
import type { ReplayReport } from '../domain/contracts/replay.ts';
import { accessOf } from './authenticate.ts';
import { ApiError } from './errors.ts';
import { methodNotAllowed } from './http-basics.ts';
import { abortWhenGone } from './request-headers.ts';
import { Turns, TurnsFull } from './turns.ts';

/** Replays a run's recorded history against the code of this copy. Throws an error named `HistoryError` for one that it cannot replay. */
export type Replay = (workflowId: string, runId: string) => Promise<ReplayReport>;

const mostWaiting = 10;

/** Under `/v1/questions`. A replay runs in this process and keeps it busy, so there is one at a time. */
export function replayRoutes(plumbline: PlumblineClient, replay: Replay | undefined): Router {
  const router = Router();
  const turns = new Turns(mostWaiting);

  router
    .route('/:id/replay')
    .post(async (req, res) => {
      if (replay === undefined)
        throw new ApiError('Replay.NotAvailable', 'Use "plumbline runs replay" on a machine that reaches Temporal.');
      const access = accessOf(res);
      const { memo, workflowId, description } = await plumbline.find(access, req.params.id);
      requireOwnOrOperator(access, memo, 'replay');
      const gone = abortWhenGone(res);
      const report = await turns.take(() => replay(workflowId, description.runId), gone).catch(asApiError);
      if (!gone.aborted) res.json(report);
    })
    .all(methodNotAllowed('POST'));

  return router;
}

function asApiError(error: unknown): never {
  if (error instanceof TurnsFull) {
    const headers = { 'Retry-After': '10' };
    throw new ApiError('Replay.Busy', `${mostWaiting} replays wait already. Try again in a moment.`, { headers });
  }
  if (error instanceof Error && error.name === 'HistoryError')
    throw new ApiError('Replay.NotPossible', `Its history cannot be used: ${error.message}.`, { cause: error });
  throw error;
}
