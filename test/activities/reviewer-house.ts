import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createAddEvidence, type AddEvidenceInput, type AddEvidenceOutput } from '../../activities/add-evidence.ts';
import { createAdoptAnswer, type AdoptAnswerInput, type AdoptAnswerOutput } from '../../activities/adopt-answer.ts';
import { allEvidence } from '../../activities/all-evidence.ts';
import type { IndexPort } from '../../adapters/index/port.ts';
import { createEmbeddedEvidenceStore } from '../../adapters/store/evidence/embedded/index.ts';
import { createTenantRules } from '../../adapters/store/tenant-rules/file.ts';
import { createPageFetcher } from '../../adapters/web/harvest/index.ts';
import type { WebPolicy } from '../../domain/contracts/web-policy.ts';
import { fakeEmbedding } from '../ingestion/fake-embedding.ts';
import { defaultPolicy } from '../support/question-runs.ts';
import { oneParser } from '../web/support/page-fetching.ts';
import { startWebServer, type Handler } from '../web/support/web-server.ts';
import { access } from './model-steps.ts';

const question = 'What is the deposit for a key at the harbour office?';

/** The two steps of a reviewer against a real parser, a real evidence store and a real HTTP server with pages. */
export async function openReviewerHouse() {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-reviewer-house-'));
  const spoolDir = join(folder, 'spool');
  await mkdir(spoolDir);
  const tenantsFile = join(folder, 'tenants.json');
  let onPage: Handler = (_, response) => void response.writeHead(404).end();
  const site = await startWebServer((request, response) => onPage(request, response));
  const parser = oneParser();
  const ports = [80, 443, site.port];
  const pages = createPageFetcher({ parser, ports, allowedAddresses: [`127.0.0.1:${site.port}`] });
  const evidence = await createEmbeddedEvidenceStore({ file: join(folder, 'evidence.db') });
  const tenantRules = createTenantRules(tenantsFile);
  await writeFile(tenantsFile, '{}');
  const deps = { embedding: fakeEmbedding(), parser, pages, evidence, tenantRules, spoolDir };
  const corpus = { passages: () => Promise.resolve([]), document: () => Promise.resolve(null) };
  const run = <I, O>(step: (input: I) => Promise<O>, input: I, info: Partial<Info> = {}): Promise<O> =>
    new MockActivityEnvironment({ startToCloseTimeoutMs: 60_000, ...info }, { logger: new DefaultLogger('ERROR') }).run(
      step,
      input,
    );
  return {
    deps,
    site,
    page: (handler: Handler) => (onPage = handler),
    tenants: (rules: object) => writeFile(tenantsFile, JSON.stringify(rules)),
    /** Its path. */
    async file(name: string, bytes: string | Uint8Array): Promise<string> {
      const path = join(spoolDir, name);
      await writeFile(path, bytes);
      return path;
    },
    /** As the later steps of a run read passages back. */
    passages: (ids: string[], tenant = access.tenant) =>
      allEvidence(corpus as unknown as IndexPort, deps.evidence).passages({ ...access, tenant }, ids),
    add(
      given: AddEvidenceInput['evidence'],
      { web = {}, ...own }: Partial<Omit<AddEvidenceInput, 'web'>> & { web?: Partial<WebPolicy> } = {},
      info: Partial<Info> = {},
    ): Promise<AddEvidenceOutput> {
      return run(
        createAddEvidence(deps),
        {
          access,
          question,
          evidence: given,
          authority: 80,
          keepHours: 24,
          web: { ...defaultPolicy.web, mode: 'ask', robots: false, ...web },
          nearDuplicate: defaultPolicy.retrieval.nearDuplicate,
          k: 8,
          ...own,
        },
        info,
      );
    },
    adopt(text: string, sourceText: string | null, own: Partial<AdoptAnswerInput> = {}): Promise<AdoptAnswerOutput> {
      return run(createAdoptAnswer(deps), {
        access,
        question,
        text,
        source: { title: 'Keys of the harbour', uri: 'mailto:harbour@example.com', text: sourceText },
        vouched: false,
        reviewer: 'ada',
        authority: 80,
        keepHours: 24,
        ...own,
      });
    },
    async close() {
      await pages.close();
      await evidence.close();
      await Promise.all([site.close(), parser.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type ReviewerHouse = Awaited<ReturnType<typeof openReviewerHouse>>;
