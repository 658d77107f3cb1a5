import {
  CancelledFailure,
  CancellationScope,
  continueAsNew,
  defineQuery,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
} from '@temporalio/workflow';
import type { IngestionInput, IngestionProgress, IngestionReport } from '../domain/contracts/ingestion.ts';
import { ingestDocument } from './ingestion/document.ts';
import { nextSources } from './ingestion/sources.ts';
import type { Source } from './ingestion/sources.ts';
import { runOf, stepsOf } from './ingestion/steps.ts';
import { IngestionTally } from './ingestion/tally.ts';

/** Counts, documents under way and those not plainly ready. Answers after the run has ended, too. */
const ingestProgressQuery = defineQuery<IngestionProgress>('ingestProgress');

/**
 * Takes documents in: each is read, split, embedded, stored and published on its own, several at a time. A document that fails does not stop
 * the others. Long lists are worked off in parts, each by a run of its own in the same chain, so that histories stay small.
 * Fails only when it is cancelled, when the list itself cannot be read or the report cannot be written.
 */
export async function ingestDocuments(input: IngestionInput): Promise<IngestionReport> {
  const tally = new IngestionTally(input.carried);
  setHandler(ingestProgressQuery, () => tally.progress());
  const finish = () =>
    CancellationScope.nonCancellable(() => stepsOf(input.options.attempts).finishIngestion({ run: runOf(input) }));
  let next: number | null;
  try {
    const part = await nextSources(input);
    tally.total = part.total;
    next = part.next;
    await ingestAll(part.sources, { input, tally });
  } catch (error) {
    // Any other error is a defect: the run stands still until it is mended, and needs its files then.
    if (error instanceof TemporalFailure) await finish();
    throw error;
  }
  if (next !== null) await continueAsNew<typeof ingestDocuments>({ ...input, carried: tally.state(next) });
  await finish();
  return tally.report();
}

/** Works the sources off, a bounded number at a time, and writes the report as it goes. */
async function ingestAll(
  sources: Source[],
  { input, tally }: { input: IngestionInput; tally: IngestionTally },
): Promise<void> {
  const scope = CancellationScope.current();
  const queue = sources.values();
  const record = async (batch: ReturnType<IngestionTally['takeBatch']>) => {
    if (batch === null) return;
    await CancellationScope.nonCancellable(() =>
      stepsOf(input.options.attempts).recordReports({ run: runOf(input), ...batch }),
    );
  };
  const work = async () => {
    for (const source of queue) {
      if (scope.consideredCancelled) return;
      tally.add(await ingestDocument(source, { input, tally }));
      setCurrentDetails(tally.story());
      await record(tally.takeBatch('if full'));
    }
  };
  await Promise.all(Array.from({ length: input.options.parallel }, work));
  await record(tally.takeBatch('whatever there is'));
  if (scope.consideredCancelled) throw new CancelledFailure('the ingestion was cancelled');
}
