import { Closers } from './closers.ts';
import { LauncherError } from './errors.ts';
import { loadSettings, type Settings } from './settings.ts';
import { stopSignal } from './stop-signal.ts';
import { printFailure, say } from './up-output.ts';

export interface Half {
  settings: Settings;
  say: (line: string) => void;
  closers: Closers;
  /** Aborted when the process is asked to stop. */
  signal: AbortSignal;
  /** Ends the process with this error. */
  onLost: (error: unknown) => void;
}

/**
 * Runs one half of Plumbline, the worker or the API, against services that are elsewhere, until SIGINT or SIGTERM. Resolves to the exit code:
 * 0 after a clean stop, 1 when something failed, told with its remedy: whoever supervises the process starts it again.
 */
export async function serve(start: (half: Half) => Promise<void>): Promise<number> {
  const stop = stopSignal();
  const closers = new Closers();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  try {
    const settings = loadSettings(process.env);
    await start({ settings, say, closers, signal: stop.signal, onLost: lost.reject });
    await Promise.race([stop.signalled, lost.promise]);
    say('Stopping: what is under way may finish.');
    return 0;
  } catch (error) {
    if (stop.received()) return 0;
    printFailure(error);
    return 1;
  } finally {
    await closers.closeAll();
    stop.release();
  }
}

/** @throws LauncherError `Settings.Invalid` when no Temporal is named that the other half could use too */
export function requireTemporalAddress({ temporal }: Settings, command: string): void {
  if (temporal.external) return;
  throw new LauncherError(
    'Settings.Invalid',
    `plumbline ${command} needs a Temporal server: TEMPORAL_ADDRESS is not set.`,
    {
      remedy: 'Set TEMPORAL_ADDRESS to its host:port, or use `plumbline up`, which starts everything in one process.',
    },
  );
}
