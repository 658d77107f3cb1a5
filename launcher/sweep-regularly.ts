import { Runtime } from '@temporalio/worker';
import { messageOf } from './errors.ts';

const quarterOfAnHour = 15 * 60_000;

/** Something that gathers and has to be removed now and then. */
export interface Sweeping {
  /** As a message names it: "expired evidence". */
  what: string;
  sweep: () => Promise<unknown>;
}

/** Sweeps regularly, beside the work; what fails is told in the log and made up for by the next time. Returns what ends it. */
export function sweepRegularly(
  sweepings: readonly Sweeping[],
  { everyMs = quarterOfAnHour, warn = warnInLog }: { everyMs?: number; warn?: (message: string) => void } = {},
): () => Promise<void> {
  let under = Promise.resolve();
  const timer = setInterval(() => {
    under = under.then(async () => {
      for (const { what, sweep } of sweepings)
        await sweep().catch((error: unknown) => warn(`${what} could not be removed: ${messageOf(error)}`));
    });
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    return under;
  };
}

function warnInLog(message: string): void {
  Runtime.instance().logger.warn(message);
}
