import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAnswerActivities } from '../../activities/index.ts';
import { embedPassages } from '../../activities/embed-passages.ts';
import { splitInPortions } from '../../activities/ingestion/split-document.ts';
import type { IndexPort, StoredPassage } from '../../adapters/index/port.ts';
import type { EmbeddingModel, ModelProviders } from '../../adapters/models/port.ts';
import { createEmbeddedEvidenceStore } from '../../adapters/store/evidence/embedded/index.ts';
import { createTenantRules } from '../../adapters/store/tenant-rules/file.ts';
import { createPageFetcher } from '../../adapters/web/harvest/index.ts';
import { createWebResultCache } from '../../adapters/web/search/result-cache.ts';
import type { WebResult } from '../../adapters/web/port.ts';
import type { Citation, Grounding, Statement } from '../../domain/contracts/answer.ts';
import type { EvidenceRef, Grade } from '../../domain/contracts/evidence.ts';
import { ingestionOptionsSchema } from '../../domain/contracts/ingestion.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { loadPrompts } from '../../prompts/load.ts';
import { keepingNotifier } from '../support/kept-notifications.ts';
import { defaultPolicy } from '../support/question-runs.ts';
import { oneParser } from '../web/support/page-fetching.ts';
import { startWebServer } from '../web/support/web-server.ts';
import { question, type InjectionCase } from './cases.ts';

const access = { tenant: 'test', user: 'tester', groups: ['staff'] };
const split = ingestionOptionsSchema.parse({});

/** What a reader gets of a run: the answer with its sources, and how the evidence was graded. */
export interface Told {
  evidence: Pick<EvidenceRef, 'id' | 'title' | 'uri' | 'section'>[];
  grades: Grade[];
  statements: Statement[];
  citations: Citation[];
  grounding: Grounding | null;
}

/** The steps of a question over one attack, with everything real but the models that are given. */
export async function openInjectionHouse({ embedding, models }: { embedding: EmbeddingModel; models: ModelProviders }) {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-injection-'));
  let body = '';
  const site = await startWebServer(({ path }, response) =>
    path === '/robots.txt'
      ? void response.writeHead(404).end()
      : void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body),
  );
  const parser = oneParser();
  const pages = createPageFetcher({ parser, ports: [site.port], allowedAddresses: [`127.0.0.1:${site.port}`] });
  const evidence = await createEmbeddedEvidenceStore({ file: join(folder, 'evidence.db') });
  const corpus = new Map<string, StoredPassage>();
  let hits: WebResult[] = [];
  const steps = createAnswerActivities({
    index: {
      document: () => Promise.resolve(null),
      passages: (_: unknown, ids: string[]) => Promise.resolve(ids.flatMap((id) => corpus.get(id) ?? [])),
    } as unknown as IndexPort,
    embedding,
    models,
    prompts: await loadPrompts(),
    events: { publish: () => undefined },
    webSearch: { id: 'scripted', search: () => Promise.resolve(hits) },
    webCache: createWebResultCache(),
    parser,
    pages,
    evidence,
    tenantRules: createTenantRules(null),
    notifiers: [keepingNotifier().notifier],
  });
  const environment = new MockActivityEnvironment(
    { startToCloseTimeoutMs: 60_000 },
    { logger: new DefaultLogger('ERROR') },
  );
  const inStep = <I, O>(step: (input: I) => Promise<O>, input: I): Promise<O> => environment.run(step, input);
  const analysis = analyseQuestion(question);

  async function fromTheWeb({ place, title = 'Keys', body: content }: InjectionCase): Promise<EvidenceRef[]> {
    body = content;
    const result = { title, score: 0.9, publishedAt: null };
    hits = [
      place === 'page'
        ? { ...result, url: `${site.url}/keys`, content: '', rawContent: null }
        : { ...result, url: 'https://harbour.example/keys', content: content.slice(0, 200), rawContent: content },
    ];
    const found = await inStep(steps.searchWeb, {
      access,
      question,
      query: question,
      identifiers: [],
      corpusPassages: [],
      web: { ...defaultPolicy.web, mode: 'allowed', robots: false, cacheMinutes: 0 },
      nearDuplicate: 0.9,
      k: 8,
      permitted: false,
    });
    return found.evidence;
  }

  async function fromTheCorpus({ body: content, file = 'keys.md' }: InjectionCase): Promise<EvidenceRef[]> {
    const path = join(folder, file);
    await writeFile(path, content);
    const document = await parser.parse({ path, name: file });
    const title = document.title ?? file;
    const identity = { tenant: access.tenant, documentId: file, version: 'v', title };
    const signal = new AbortController().signal;
    const { passages } = await splitInPortions(document, { identity, split, embedding, signal });
    const embedded = await embedPassages(passages, embedding, signal);
    const metadata = { title, uri: `file:${file}`, language: 'en', status: 'active' as const, authority: 50 };
    return embedded.map((passage) => {
      const rest = { effectiveFrom: null, effectiveTo: null, supersedes: null, groups: [], tags: [] };
      corpus.set(passage.id, { ...passage, title, uri: metadata.uri, metadata: { ...metadata, ...rest } });
      const { id, documentId, section, page, start, end } = passage;
      const place = { id, documentId, section, page, start, end, title, uri: metadata.uri };
      return { ...place, origin: 'corpus', score: 1, readAt: null, snippet: '' };
    });
  }

  return {
    /** Answers the question from the attack's text alone; `player`: who grades, refines, writes and checks. */
    async run(attack: InjectionCase, player: ModelChoice | null): Promise<Told> {
      const found = await (attack.place === 'document' ? fromTheCorpus(attack) : fromTheWeb(attack));
      const told = found.map(({ id, title, uri, section }) => ({ id, title, uri, section }));
      const { models: local, refine, generate, grounding: checking } = defaultPolicy;
      const grading = { ...defaultPolicy.grading, method: player ? ('model' as const) : ('local' as const) };
      const evidenceIds = found.map(({ id }) => id);
      const none = { evidence: told, statements: [], citations: [], grounding: null };
      if (found.length === 0) return { ...none, grades: [] };
      const { grades } = await inStep(steps.grade, { access, analysis, evidenceIds, grading, judge: player });
      const passages = grades
        .filter(({ label }) => label !== 'irrelevant')
        .map(({ evidenceId, aspects }) => ({ id: evidenceId, supports: aspects }));
      if (passages.length === 0) return { ...none, grades };
      const { strips, conflicts } = await inStep(steps.refine, {
        access,
        analysis,
        passages,
        decided: { ids: [], strips: [] },
        refine,
        refiner: player ?? local.refine,
        generator: local.generate,
      });
      if (strips.length === 0) return { ...none, grades };
      const { statements, citations } = await inStep(steps.generate, {
        access,
        question,
        language: analysis.language,
        aspects: analysis.aspects,
        strips,
        conflicts,
        generate: { ...generate, maxStatements: 8 },
        generator: player ?? local.generate,
        refused: [],
        revision: null,
      });
      const { grounding } = await inStep(steps.checkGrounding, {
        access,
        statements,
        citations,
        checker: player ?? local.check,
        grounding: checking,
      });
      // What is not supported never leaves.
      const kept = statements.filter((_, n) => grounding.statements[n]?.supported === true);
      const cited = citations.filter(({ n }) => kept.some((statement) => statement.citations.includes(n)));
      return { evidence: told, grades, statements: kept, citations: cited, grounding };
    },
    async close() {
      await Promise.all([pages.close(), site.close(), parser.close(), evidence.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type InjectionHouse = Awaited<ReturnType<typeof openInjectionHouse>>;
