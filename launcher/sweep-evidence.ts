import { Runtime } from '@temporalio/worker';
import type { EvidenceStore } from '../adapters/store/port.ts';
import { messageOf } from './errors.ts';

const quarterOfAnHour = 15 * 60_000;

/**
 * Removes expired evidence regularly, beside the work; a sweep that fails is told in the log and made up for by the next. Returns what ends it.
 * Expired evidence is not given out, swept or not.
 */
export function sweepRegularly(
  evidence: Pick<EvidenceStore, 'sweep'>,
  { everyMs = quarterOfAnHour, warn = warnInLog }: { everyMs?: number; warn?: (message: string) => void } = {},
): () => Promise<void> {
  let under = Promise.resolve();
  const timer = setInterval(() => {
    under = under.then(async () => {
      try {
        await evidence.sweep();
      } catch (error) {
        warn(`expired evidence could not be removed: ${messageOf(error)}`);
      }
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
