import { readFile } from 'node:fs/promises';
import type { Settings } from '../../launcher/settings.ts';
import { ownerTokenPath } from '../owner-token.ts';
import { ApiClient } from './api-client.ts';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

/** The settings of this machine's copy. @throws CliError for a wrong one */
export async function readSettings(): Promise<Settings> {
  const [{ loadSettings }, { LauncherError }] = await Promise.all([
    import('../../launcher/settings.ts'),
    import('../../launcher/errors.ts'),
  ]);
  try {
    return loadSettings(process.env);
  } catch (error) {
    if (error instanceof LauncherError) throw new CliError(exitCodes.usage, error.message, error.remedy);
    throw error;
  }
}

/**
 * The API that the commands talk to: PLUMBLINE_URL with PLUMBLINE_TOKEN, else the copy that runs in the data folder with its owner's token.
 * @throws CliError `unreachable` when nothing runs there
 */
export async function connect(): Promise<ApiClient> {
  const { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: token } = process.env;
  if (url && token) return new ApiClient(httpAddress(url), token);
  const settings = await readSettings();
  return new ApiClient(
    url ? httpAddress(url) : await runningAddress(settings),
    token || (await ownerToken(settings.dataDir)),
  );
}

async function runningAddress(settings: Settings): Promise<string> {
  const { runningInstance } = await import('../../launcher/instance-lock.ts');
  const running = runningInstance(settings.dataDir);
  if (running === null) throw notRunning(`Plumbline is not running in ${settings.dataDir}.`);
  const address = running.details?.address;
  if (address == null) throw notRunning('Plumbline is still starting.', 'Try again in a moment.');
  return address;
}

function httpAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CliError(exitCodes.usage, `PLUMBLINE_URL is not an http address: ${url}`);
  }
  return url.replace(/\/+$/, '');
}

async function ownerToken(dataDir: string): Promise<string> {
  try {
    return (await readFile(ownerTokenPath(dataDir), 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EACCES') throw error;
    const why =
      code === 'ENOENT' ? `there is no token in ${dataDir}` : `this user may not read the token in ${dataDir}`;
    throw new CliError(
      exitCodes.usage,
      `No token: ${why}.`,
      'Set PLUMBLINE_TOKEN, or PLUMBLINE_DATA_DIR to the data folder of the running copy.',
    );
  }
}

export function notRunning(message: string, remedy = 'Start it with: npm start'): CliError {
  return new CliError(exitCodes.unreachable, message, remedy);
}
