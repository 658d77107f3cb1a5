import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../launcher/settings.ts';
import { startStack, type Stack } from '../../launcher/stack.ts';
import { embeddedEnv } from './embedded-env.ts';

/** A whole Plumbline on free ports and an empty data folder; `stop` removes the folder. `env`: more settings. Its model and Temporal come from the user's cache. */
export async function startTemporaryStack(
  say: (line: string) => void,
  env: Record<string, string> = {},
): Promise<Stack & { dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const settings = loadSettings({ ...(await embeddedEnv(dataDir)), ...env });
    const stack = await startStack(settings, say);
    const stop = async () => {
      await stack.stop();
      await remove();
    };
    return { ...stack, dataDir, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}
