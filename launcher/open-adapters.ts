import { join } from 'node:path';
import { IndexError, type IndexPort } from '../adapters/index/port.ts';
import { localDimensions } from '../adapters/models/local/index.ts';
import { openAdapters, type Adapters } from '../worker/adapters.ts';
import { openIndex, type IndexConfig } from '../worker/open-index.ts';
import type { Closers } from './closers.ts';
import { ensureEmbeddingModel } from './embedding-model.ts';
import { LauncherError } from './errors.ts';
import type { Settings } from './settings.ts';

/**
 * All that the steps of runs need; fetches the embedding model where it is not there.
 * @throws LauncherError, `Index.Unavailable` among others
 */
export async function openWorkerAdapters(settings: Settings, closers: Closers): Promise<Adapters> {
  const embeddingModel = await ensureEmbeddingModel(settings);
  const adapters = await openAdapters({ index: indexConfig(settings), embeddingModel }).catch(tellIndex);
  closers.add('the adapters', () => adapters.close());
  return adapters;
}

/** The index alone, for the API. @throws LauncherError `Index.Unavailable` */
export async function openApiIndex(settings: Settings, closers: Closers): Promise<IndexPort> {
  const index = await openIndex(indexConfig(settings), localDimensions).catch(tellIndex);
  closers.add('the index', () => index.close());
  return index;
}

function indexConfig({ elasticsearch, dataDir }: Settings): IndexConfig {
  return elasticsearch === null
    ? { kind: 'embedded', file: join(dataDir, 'index.db') }
    : { kind: 'elasticsearch', ...elasticsearch };
}

function tellIndex(error: unknown): never {
  if (!(error instanceof IndexError)) throw error;
  throw new LauncherError('Index.Unavailable', `The index cannot be opened: ${error.message}.`, {
    remedy: 'Mend what it says, or look at it with `plumbline doctor`, and start again.',
    cause: error,
  });
}
