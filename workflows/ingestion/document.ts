import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  TimeoutFailure,
  isCancellation,
} from '@temporalio/workflow';
import type { DocumentReport, IngestionInput } from '../../domain/contracts/ingestion.ts';
import type { ReadResult } from '../../activities/ingestion/read-document.ts';
import type { Source } from './sources.ts';
import { runOf, stepsOf } from './steps.ts';
import type { IngestionTally } from './tally.ts';

/** Once this many documents in a row found the index or a model away, the next ones are tried once each until one gets through. */
const patience = 8;

/** One document from file to published version. Never throws for what happened to the document: that is in the report. */
export async function ingestDocument(
  source: Source,
  { input, tally }: { input: IngestionInput; tally: IngestionTally },
): Promise<DocumentReport> {
  const started = Date.now();
  const run = runOf(input);
  const steps = stepsOf(tally.outages >= patience ? 1 : input.options.attempts);
  const { targetTokens, overlapTokens } = input.options;
  const flight = tally.takeOff(source.name);
  let report = unread(source.name);
  let prepared: ReadResult['prepared'] = null;
  try {
    const read = await steps.read.executeWithOptions({ summary: source.name }, [
      { run, source: source.ref, split: { targetTokens, overlapTokens } },
    ]);
    report = read.report;
    prepared = read.prepared;
    if (prepared !== null) {
      flight.embeds(report.passages);
      for (let stretch = 0; stretch < prepared.stretches; stretch++) {
        const summary =
          prepared.stretches === 1 ? source.name : `${source.name}, part ${stretch + 1} of ${prepared.stretches}`;
        flight.embedded(await steps.embed.executeWithOptions({ summary }, [{ run, document: prepared, stretch }]));
      }
      flight.publishes();
      await steps.publish.executeWithOptions({ summary: source.name }, [{ run, document: prepared }]);
    }
  } catch (error) {
    const { code, message } = reasonOf(error);
    report = { ...report, state: 'failed', code, message, passages: 0 };
    const document = prepared;
    if (document !== null) report = await discarded(report, () => steps.discard({ run, document }));
  } finally {
    flight.land();
  }
  return { ...report, ms: Date.now() - started };
}

/** What cannot be removed now is still never visible; the next ingestion of the same bytes goes on from it. */
async function discarded<R extends Omit<DocumentReport, 'ms'>>(report: R, discard: () => Promise<void>): Promise<R> {
  try {
    await CancellationScope.nonCancellable(discard);
    return report;
  } catch (error) {
    const { code } = reasonOf(error);
    return {
      ...report,
      warnings: [...report.warnings, `The unfinished version could not be removed (${code}); it stays invisible.`],
    };
  }
}

/** @throws what is not a failure of an activity: a defect of the workflow, which must not pass for a document's. */
function reasonOf(error: unknown): { code: string; message: string } {
  if (isCancellation(error)) return { code: 'Ingestion.Cancelled', message: 'The ingestion was cancelled.' };
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) return { code: cause.type ?? 'Internal', message: cause.message };
  if (cause instanceof TimeoutFailure)
    return { code: 'Ingestion.Timeout', message: `The step ${error.activityType} took too long.` };
  return { code: 'Internal', message: cause?.message ?? error.message };
}

function unread(name: string): Omit<DocumentReport, 'ms'> {
  const nothing = { warnings: [], pages: null, pagesWithoutText: [], passages: 0, bytes: 0 };
  return { documentId: '', name, state: 'failed', code: null, message: null, ...nothing };
}
