import { MockActivityEnvironment } from '@temporalio/testing';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { DocumentVersion } from '../../adapters/index/port.ts';
import { hashText } from '../../activities/ingestion/hash.ts';
import { createIngestionActivities, type IngestionDeps } from '../../activities/ingestion/index.ts';
import { writePrepared } from '../../activities/ingestion/prepared-files.ts';
import type { DocumentReport, SourceFile, SplitOptions } from '../../domain/contracts/ingestion.ts';
import { splitDocument } from '../../domain/splitting/split.ts';

/** Everything is readable for the benchmarks' only asker. */
export const access = { tenant: 'bench', user: 'bench', groups: [] };

const run = { workflowId: 'bench', tenant: access.tenant, user: access.user };
/** Enough that an index which makes changes visible once a second does not hold the work up. */
const atOnce = 64;

/** Takes files in through ingestion's own steps, without Temporal: read, embed, index, publish. */
export async function takeInFiles(
  deps: IngestionDeps,
  files: SourceFile[],
  split: SplitOptions,
): Promise<Omit<DocumentReport, 'ms'>[]> {
  const steps = createIngestionActivities(deps);
  return inParallel(files, async (file) => {
    const { report, prepared } = await inStep(() => steps.readDocument({ run, source: { file }, split }));
    if (prepared) await embedAndPublish(deps, prepared);
    return report;
  });
}

export interface PlainDocument {
  id: string;
  title: string;
  text: string;
}

/**
 * Takes titled texts in, each as one paragraph, through the splitter and ingestion's steps. Texts without a word are passed over.
 * Returns the number of passages.
 */
export async function takeInTexts(
  deps: IngestionDeps,
  documents: PlainDocument[],
  split: SplitOptions,
): Promise<number> {
  const counts = await inParallel(documents, async ({ id, title, text: body }) => {
    const text = body.trim() === '' ? title : body;
    if (text.trim() === '') return 0;
    const identity = { tenant: access.tenant, documentId: id, version: `v_${hashText(text).slice(0, 32)}`, title };
    const parsed = {
      format: 'text' as const,
      text,
      blocks: [{ kind: 'paragraph' as const, start: 0, end: text.length }],
      title,
      language: null,
      frontMatter: {},
      pages: null,
      warnings: [],
    };
    const passages = splitDocument(parsed, identity, splitterOptions(split, deps.embedding));
    const document: DocumentVersion = {
      ...identity,
      format: 'text',
      text,
      metadata: {
        title: title.slice(0, 500) || id,
        uri: `bench:${id}`,
        language: null,
        status: 'active',
        authority: 50,
        effectiveFrom: null,
        effectiveTo: null,
        supersedes: null,
        groups: [],
        tags: [],
      },
      contentHash: hashText(text),
      bytes: Buffer.byteLength(text),
      pages: null,
      warnings: [],
      ingestedAt: '2026-01-01T00:00:00.000Z',
    };
    const stretches = await writePrepared(run, { document, passages }, deps.spoolDir);
    await embedAndPublish(deps, { documentId: id, version: identity.version, stretches });
    return passages.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

async function embedAndPublish(
  deps: IngestionDeps,
  document: { documentId: string; version: string; stretches: number },
): Promise<void> {
  const steps = createIngestionActivities(deps);
  for (let stretch = 0; stretch < document.stretches; stretch++) {
    await inStep(() => steps.embedAndIndex({ run, document, stretch }));
  }
  await inStep(() => steps.publishDocument({ run, document }));
}

/** Runs a step in an activity's context. */
function inStep<T>(step: () => Promise<T>): Promise<T> {
  return new MockActivityEnvironment().run(step);
}

function splitterOptions(split: SplitOptions, embedding: EmbeddingModel) {
  return {
    ...split,
    maxTokens: embedding.maxTokens,
    countTokens: (text: string) => embedding.countTokens(text),
    hash: hashText,
  };
}

async function inParallel<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
