import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../launcher/settings.ts';
import { startStack, type Stack } from '../../launcher/stack.ts';
import { freePorts } from './free-ports.ts';

/** A whole Plumbline on free ports and an empty data folder; `stop` removes the folder. `env`: more settings. Its model and Temporal come from the user's cache. */
export async function startTemporaryStack(
  say: (line: string) => void,
  env: Record<string, string> = {},
): Promise<Stack & { dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  const [api, temporal, ui] = await freePorts(3);
  try {
    const settings = loadSettings({
      ...process.env,
      PLUMBLINE_DATA_DIR: dataDir,
      PLUMBLINE_PORT: String(api),
      PLUMBLINE_TEMPORAL_PORT: String(temporal),
      PLUMBLINE_TEMPORAL_UI_PORT: String(ui),
      TEMPORAL_ADDRESS: '',
      ELASTICSEARCH_URL: '',
      ...env,
    });
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
