import { NativeConnection } from '@temporalio/worker';
import { createBrowserFetcher } from '../adapters/web/browser/index.ts';
import { createBrowserWorker } from '../worker/create-worker.ts';
import { portsOf } from '../worker/open-web.ts';
import { prepareDataDir } from './data-dir.ts';
import { LauncherError } from './errors.ts';
import { findOnPath } from './executables.ts';
import { openWorkerAdapters } from './open-adapters.ts';
import { installRuntime } from './sdk-log.ts';
import { requireTemporalAddress, serve, type Half } from './serve.ts';
import type { Settings } from './settings.ts';
import { temporalConnectionOptions } from './temporal-connection.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** `plumbline browser-worker`: reads pages that need their scripts, for policies that ask for it. Resolves to the exit code. */
export function serveBrowserWorker(): Promise<number> {
  return serve(startBrowserWorker);
}

async function startBrowserWorker({ settings, say, closers, onLost }: Half): Promise<void> {
  requireTemporalAddress(settings, 'browser-worker');
  const { sandbox, proxies } = settings.web.browser;
  const executablePath = await chromium(settings);
  if (sandbox && process.getuid?.() === 0) {
    throw new LauncherError('Settings.Invalid', 'Chromium cannot shut itself into its sandbox as root.', {
      remedy:
        'Run the browser worker as another user, or set PLUMBLINE_BROWSER_SANDBOX=false in a container that holds nothing else.',
    });
  }
  prepareDataDir(settings.dataDir);
  installRuntime(process.stderr);
  const opened = await openWorkerAdapters(settings, { closers, log: process.stderr });
  const { allowedAddresses } = settings.web;
  const ports = portsOf(allowedAddresses);
  const { parser } = opened;
  const pages = createBrowserFetcher({ executablePath, sandbox, parser, allowedAddresses, ports, proxies });
  closers.add('the browser', () => pages.close());
  const connection = await NativeConnection.connect(temporalConnectionOptions(settings));
  closers.add('the worker connection', () => connection.close());
  const { address, namespace } = settings.temporal;
  const worker = await createBrowserWorker({ connection, namespace, adapters: { ...opened, pages } });
  const run = worker.run();
  run.catch(onLost);
  closers.add('the worker', async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await Promise.allSettled([run]);
  });
  say(`The browser worker asks Temporal at ${address}, namespace ${namespace}, for pages. Browser: ${executablePath}.`);
}

async function chromium({ web }: Settings): Promise<string> {
  if (web.browser.path !== null) return web.browser.path;
  for (const name of names) {
    const path = await findOnPath(name, process.env);
    if (path !== null) return path;
  }
  throw new LauncherError('Settings.Invalid', 'There is no Chromium on PATH.', {
    remedy: 'Install it (Debian: apt-get install chromium), or name it with PLUMBLINE_BROWSER.',
  });
}
