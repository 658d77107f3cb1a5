import type { EmbeddingModel } from '../adapters/models/port.ts';
import type { EvidenceStore, TenantRules } from '../adapters/store/port.ts';
import type { PageFetcher } from '../adapters/web/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { EvidenceRef } from '../domain/contracts/evidence.ts';
import type { WebPolicy } from '../domain/contracts/web-policy.ts';
import { combinedWebRules } from '../domain/web/combine-rules.ts';
import { step } from './step.ts';
import { keepPages } from './web/keep-pages.ts';
import { nearestFirst } from './web/nearest-first.ts';
import { renderPages } from './web/render-pages.ts';

export interface RenderPagesInput {
  access: Access;
  question: string;
  urls: string[];
  web: WebPolicy;
  nearDuplicate: number;
  k: number;
  /** A person has allowed it: where the rules ask for one, that is done. */
  permitted: boolean;
}

export interface RenderPagesDependencies {
  embedding: EmbeddingModel;
  evidence: EvidenceStore;
  tenantRules: TenantRules;
  /** By a browser. */
  pages: PageFetcher;
}

/** Reads pages by a browser, keeps them as `search-web` does, and returns their passages. What is allowed is asked again, at every attempt. */
export function createRenderPages(deps: RenderPagesDependencies) {
  return step(
    async (input: RenderPagesInput, { signal }): Promise<{ evidence: EvidenceRef[]; note: string | null }> => {
      const { access, web, question, nearDuplicate, k, urls } = input;
      const { tenant } = access;
      const rules = combinedWebRules(web, await deps.tenantRules.web(tenant));
      if (rules.mode === 'never' || (rules.mode === 'ask' && !input.permitted))
        return { evidence: [], note: 'no page was read by a browser: not allowed' };
      const { pages, lost } = await renderPages(deps.pages, urls, { web, rules, signal });
      const { authority, keepHours } = web;
      const keeping = { tenant, question, authority, keepHours, nearDuplicate, corpusTexts: [], most: k };
      const kept = await keepPages(deps, pages, { input: { ...keeping, origin: 'web' }, signal });
      const vector = await deps.embedding.embedQuery(question, signal);
      const note = lost === 0 ? null : `${lost} of ${urls.length} pages could not be read by a browser`;
      return { evidence: nearestFirst(kept, vector, 'web'), note };
    },
  );
}
