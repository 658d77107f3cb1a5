import type { Degradation, Reason } from '../contracts/answer.ts';
import type { StepName } from '../contracts/step-name.ts';

/** What a run could not look at without these steps. */
const lost: Partial<Record<StepName, string>> = {
  'search-web': 'The web could not be searched',
  'render-pages': 'Pages that need a browser could not be read',
};

/** The reason with what could not be looked at: that nothing was found there is not known. */
export function withOutages(reason: Reason, degraded: readonly Degradation[]): Reason {
  const told = degraded.flatMap(({ step, reason: why }) => {
    const what = lost[step];
    return what === undefined ? [] : [`${what} (${why}).`];
  });
  return told.length === 0 ? reason : { ...reason, message: [reason.message, ...new Set(told)].join(' ') };
}
