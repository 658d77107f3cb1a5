/** Brings the pinned embedding model into the cache (PLUMBLINE_CACHE_DIR) ahead of the first start, as the Dockerfile does. */
import { ensureEmbeddingModel } from '../launcher/embedding-model.ts';
import { LauncherError } from '../launcher/errors.ts';
import { loadSettings } from '../launcher/settings.ts';

try {
  const { modelPath, verified } = await ensureEmbeddingModel(loadSettings(process.env));
  console.log(`${modelPath} (${verified ? 'checksum verified' : 'not the pinned file'})`);
} catch (error) {
  if (!(error instanceof LauncherError)) throw error;
  console.error(`${error.message}\n${error.remedy}`);
  process.exitCode = 1;
}
