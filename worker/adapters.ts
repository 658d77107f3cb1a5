import type { IndexPort } from '../adapters/index/port.ts';
import type { ProviderEmbeddingChoice } from '../adapters/models/embedding-choice.ts';
import { createLocalEmbedding } from '../adapters/models/local/index.ts';
import type { EmbeddingModel, ModelProviders } from '../adapters/models/port.ts';
import { createProviderEmbedding } from '../adapters/models/provider-embedding.ts';
import { createModelProviders, type ModelProvidersConfig } from '../adapters/models/providers.ts';
import type { Notifier } from '../adapters/notify/port.ts';
import { createDocumentParser } from '../adapters/parsers/index.ts';
import type { DocumentParser, ParseLimits } from '../adapters/parsers/port.ts';
import type { EvidenceStore, TenantRules } from '../adapters/store/port.ts';
import { createTenantRules } from '../adapters/store/tenant-rules/file.ts';
import type { PageFetcher, WebResultCache, WebSearch } from '../adapters/web/port.ts';
import { createWebResultCache } from '../adapters/web/search/result-cache.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { logWebFailures } from './log-web-failures.ts';
import { openIndex, type IndexConfig } from './open-index.ts';
import { openNotifiers, type NotifyConfig } from './open-notifiers.ts';
import { openEvidence, openPages, openWebSearch, type WebConfig } from './open-web.ts';

/** What one document may cost to read: a bomb ends in seconds, a book of 5,000 pages does not. */
const parseLimits: ParseLimits = {
  maxBytes: 200 * 2 ** 20,
  maxUnpackedBytes: 200 * 2 ** 20,
  maxEntries: 10_000,
  maxPages: 5_000,
  timeoutMs: 120_000,
  maxMemoryMb: 512,
};

/** The local model's files, or a provider's model. */
export type EmbeddingConfig = { provider: 'local'; modelPath: string; tokenizerPath: string } | ProviderEmbeddingChoice;

export interface AdapterConfig {
  index: IndexConfig;
  embedding: EmbeddingConfig;
  models: ModelProvidersConfig;
  prompts: Prompts;
  web: WebConfig;
  notify: NotifyConfig;
}

/** What the steps of a run use of the outside world. */
export interface Adapters {
  index: IndexPort;
  embedding: EmbeddingModel;
  models: ModelProviders;
  prompts: Prompts;
  parser: DocumentParser;
  webSearch: WebSearch;
  webCache: WebResultCache;
  pages: PageFetcher;
  /** What was read of the web. */
  evidence: EvidenceStore;
  tenantRules: TenantRules;
  notifiers: readonly Notifier[];
  close(): Promise<void>;
}

/** Opens what the steps need; when one part fails, those opened before are closed again. @throws ModelError, PriceFileError, IndexError */
export async function openAdapters(config: AdapterConfig): Promise<Adapters> {
  const opened: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(part: T): T => {
    opened.push(part);
    return part;
  };
  const close = async () => {
    await Promise.all(opened.map((part) => part.close()));
  };
  try {
    const models = keep(await createModelProviders(config.models));
    const embedding = keep(await openEmbedding(config));
    const index = keep(await openIndex(config.index, { model: embedding.id, dimensions: embedding.dimensions }));
    const parser = keep(createDocumentParser(parseLimits));
    const evidence = keep(await openEvidence(config.index, config.web));
    const pages = keep(openPages(config.web, parser));
    const webSearch = openWebSearch(config.web, { onFailure: logWebFailures(config.notify.log) });
    const webCache = createWebResultCache();
    const tenantRules = createTenantRules(config.web.tenantsFile);
    const notifiers = openNotifiers(config.notify).map(keep);
    const { prompts } = config;
    const web = { webSearch, webCache, pages, evidence, tenantRules };
    return { index, embedding, models, prompts, parser, ...web, notifiers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openEmbedding({ embedding, models }: AdapterConfig): Promise<EmbeddingModel> {
  return embedding.provider === 'local' ? createLocalEmbedding(embedding) : createProviderEmbedding(embedding, models);
}
