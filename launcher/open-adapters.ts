import { join } from 'node:path';
import { IndexError, type IndexPort } from '../adapters/index/port.ts';
import { vectorSpaceOf } from '../adapters/models/embedding-choice.ts';
import { ModelError } from '../adapters/models/port.ts';
import { EvidenceError } from '../adapters/store/port.ts';
import { loadPrompts } from '../prompts/load.ts';
import { openAdapters, type Adapters, type EmbeddingConfig } from '../worker/adapters.ts';
import { openIndex, type IndexConfig } from '../worker/open-index.ts';
import type { Closers } from './closers.ts';
import { ensureEmbeddingModel } from './embedding-model.ts';
import { LauncherError } from './errors.ts';
import type { Settings } from './settings.ts';
import { tellPrices } from './tell-prices.ts';

/**
 * All that the steps of runs need; fetches the local embedding model where it is used and not there.
 * @throws LauncherError, `Index.Unavailable` and `Models.Unavailable` among others
 */
export async function openWorkerAdapters(settings: Settings, closers: Closers): Promise<Adapters> {
  const [embedding, prompts] = await Promise.all([embeddingConfig(settings), loadPrompts()]);
  const { models } = settings;
  const web = { ...settings.web, evidenceFile: join(settings.dataDir, 'evidence.db') };
  const adapters = await openAdapters({ index: indexConfig(settings), embedding, models, prompts, web }).catch(tell);
  closers.add('the adapters', () => adapters.close());
  return adapters;
}

/** The index alone, for the API. @throws LauncherError `Index.Unavailable` */
export async function openApiIndex(settings: Settings, closers: Closers): Promise<IndexPort> {
  const index = await openIndex(indexConfig(settings), vectorSpaceOf(settings.embedding)).catch(tell);
  closers.add('the index', () => index.close());
  return index;
}

async function embeddingConfig(settings: Settings): Promise<EmbeddingConfig> {
  const { embedding } = settings;
  return embedding.provider === 'local' ? { ...embedding, ...(await ensureEmbeddingModel(settings)) } : embedding;
}

function indexConfig({ elasticsearch, dataDir }: Settings): IndexConfig {
  return elasticsearch === null
    ? { kind: 'embedded', file: join(dataDir, 'index.db') }
    : { kind: 'elasticsearch', ...elasticsearch };
}

/** What a person can mend, with its remedy. */
function tell(error: unknown): never {
  if (error instanceof IndexError) {
    throw new LauncherError('Index.Unavailable', `The index cannot be opened: ${error.message}.`, {
      remedy: 'Mend what it says, or look at it with `plumbline doctor`, and start again.',
      cause: error,
    });
  }
  if (error instanceof EvidenceError) {
    throw new LauncherError('Evidence.Unavailable', `The store of web evidence cannot be opened: ${error.message}.`, {
      remedy: 'Mend what it says, or look at it with `plumbline doctor`, and start again.',
      cause: error,
    });
  }
  if (error instanceof ModelError) {
    throw new LauncherError('Models.Unavailable', error.message, {
      remedy: 'Mend what it says, or look at it with `plumbline doctor`, and start again.',
      cause: error,
    });
  }
  return tellPrices(error);
}
