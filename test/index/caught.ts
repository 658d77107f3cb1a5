import { IndexError } from '../../adapters/index/port.ts';

/** The IndexError that the work fails with; anything else fails the test. */
export async function caught(work: Promise<unknown>): Promise<IndexError> {
  const outcome = await work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  if (outcome instanceof IndexError) return outcome;
  throw new Error(`expected an IndexError, got ${String(outcome)}`);
}
