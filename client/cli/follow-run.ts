import type { LiveEvent } from '../../domain/contracts/events.ts';
import type { QuestionView } from '../question-view.ts';
import type { ApiClient } from './api-client.ts';
import { StepPrinter } from './print-steps.ts';

interface Following {
  quiet: boolean;
  /** Waits on while a person is asked, which may take days; otherwise it is over then. */
  throughReviews?: boolean;
  /** What was before this time (ISO 8601) is left out: somebody has seen it. */
  since?: string;
}

/** Waits for the end of a run; its steps go to standard error while they happen, or nowhere when `quiet`. @throws CliError */
export async function followRun(
  api: ApiClient,
  id: string,
  { quiet, throughReviews = false, since = '' }: Following,
): Promise<QuestionView> {
  const path = `/v1/questions/${encodeURIComponent(id)}`;
  const steps = new StepPrinter();
  try {
    for await (const event of api.events<LiveEvent>(`${path}/events`)) {
      if (event.at < since) continue;
      if (!quiet) steps.print(event);
      if (event.type !== 'review-request' || throughReviews) continue;
      // One that has been decided since is no news.
      const view = await api.get<QuestionView>(path);
      if (view.status === 'awaiting_review') return view;
    }
  } finally {
    steps.end();
  }
  return api.get<QuestionView>(path);
}
