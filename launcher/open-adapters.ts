import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { IndexError, type IndexPort } from '../adapters/index/port.ts';
import { vectorSpaceOf } from '../adapters/models/embedding-choice.ts';
import { ModelError } from '../adapters/models/port.ts';
import { EvidenceError, type EvidenceStore } from '../adapters/store/port.ts';
import { loadPrompts } from '../prompts/load.ts';
import { openAdapters, type Adapters, type EmbeddingConfig } from '../worker/adapters.ts';
import { openIndex, type IndexConfig } from '../worker/open-index.ts';
import { openEvidence, type WebConfig } from '../worker/open-web.ts';
import type { Closers } from './closers.ts';
import { ensureEmbeddingModel } from './embedding-model.ts';
import { LauncherError } from './errors.ts';
import type { Settings } from './settings.ts';
import { tellPrices } from './tell-prices.ts';
import { requireTenantRules } from './tenants-file.ts';

/**
 * All that the steps of runs need; fetches the local embedding model where it is used and not there. `log` takes a line for each notification.
 * @throws LauncherError, `Index.Unavailable` and `Models.Unavailable` among others
 */
export async function openWorkerAdapters(
  settings: Settings,
  { closers, log }: { closers: Closers; log: Writable },
): Promise<Adapters> {
  await requireTenantRules(settings);
  const [embedding, prompts] = await Promise.all([embeddingConfig(settings), loadPrompts()]);
  const { models } = settings;
  const web = webConfig(settings);
  const notify = { ...settings.notify, log };
  const adapters = await openAdapters({ index: indexConfig(settings), embedding, models, prompts, web, notify }).catch(
    tell,
  );
  closers.add('the adapters', () => adapters.close());
  return adapters;
}

/** What the API reads texts from. @throws LauncherError `Index.Unavailable`, `Evidence.Unavailable` */
export async function openApiStores(
  settings: Settings,
  closers: Closers,
): Promise<{ index: IndexPort; evidence: EvidenceStore }> {
  const config = indexConfig(settings);
  const index = await openIndex(config, vectorSpaceOf(settings.embedding)).catch(tell);
  closers.add('the index', () => index.close());
  const evidence = await openEvidence(config, webConfig(settings)).catch(tell);
  closers.add('the store of evidence', () => evidence.close());
  return { index, evidence };
}

function webConfig({ web, dataDir }: Settings): WebConfig {
  return { ...web, evidenceFile: join(dataDir, 'evidence.db') };
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
