import type { Outcome } from '../domain/contracts/answer.ts';
import { ingestSamples, sampleQuestion } from './samples.ts';
import { loadSettings, type Settings } from './settings.ts';
import { startStack, type Stack } from './stack.ts';
import { stopSignal } from './stop-signal.ts';
import { printAnswer, printNextCommands, printFailure, say } from './up-output.ts';

/**
 * `plumbline up`: starts everything, on the first start ingests the samples and asks one question of them, then serves until SIGINT or SIGTERM.
 * With `once` it stops after the answer. Resolves to the exit code: 0 after a clean stop; with `once` only if the sample question was answered
 * with a verified citation; 1 when something failed, told with its remedy; 130 or 143 when a signal came before everything was up.
 */
export async function runUp({ once }: { once: boolean }): Promise<number> {
  const stop = stopSignal();
  let stack: Stack | null = null;
  try {
    const settings = loadSettings(process.env);
    const started = performance.now();
    stack = await startStack(settings, say);
    say(`Plumbline serves on ${stack.apiUrl} (started in ${((performance.now() - started) / 1000).toFixed(1)} s).`);
    if (stack.uiUrl) say(`Temporal UI: ${stack.uiUrl}`);
    const outcome = await Promise.race([firstRun(stack, settings, once), stop.signalled.then(() => null)]);
    if (once) return outcome !== null && isVerified(outcome) ? 0 : 1;
    if (!stop.received()) printNextCommands(settings);
    await Promise.race([stop.signalled, stack.lost]);
    return 0;
  } catch (error) {
    if (stop.received()) return 0;
    printFailure(error);
    return 1;
  } finally {
    if (stack && stop.received()) say('Stopping: steps under way may finish, then everything closes.');
    await stack?.stop();
    stop.release();
  }
}

/** The sample question is asked when the samples have just been ingested, or when that is all that is wanted. */
async function firstRun(stack: Stack, settings: Settings, once: boolean): Promise<Outcome | null> {
  const access = stack.principals.owner;
  const report = await ingestSamples(stack, access, settings.dataDir);
  if (report) {
    const { counts } = report;
    say(
      `Ingested the sample corpus: ${counts.ready + counts.readyWithWarnings} documents, ${counts.passages} passages, ${counts.failed} failed.`,
    );
    for (const document of report.documents.filter(({ state }) => state === 'failed')) {
      say(`  ${document.name}: ${document.code ?? ''} ${document.message ?? ''}`);
    }
  }
  if (!report && !once) return null;
  const asked = await stack.plumbline.ask(access, { question: sampleQuestion });
  const outcome = await asked.result();
  printAnswer(outcome, await stack.plumbline.runUrl(access, asked.id));
  return outcome;
}

/** Answered, every statement grounded, and at least one citation. */
function isVerified(outcome: Outcome): boolean {
  return outcome.status === 'answered' && outcome.grounding?.status === 'pass' && outcome.citations.length > 0;
}
