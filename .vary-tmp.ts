import { Client } from '@elastic/elasticsearch';
const R = '/work/main/';
const { createElasticsearchIndex } = await import(R + 'adapters/index/elasticsearch/index.ts');
const { questionTerms } = await import(R + 'adapters/index/question-terms.ts');
const { loadSettings } = await import(R + 'launcher/settings.ts');
const { withStoredVectors } = await import(R + 'bench/support/embedding-cache.ts');
const { readJudgedCorpus } = await import(R + 'bench/support/judged-corpus.ts');
const { openLocalModel } = await import(R + 'bench/support/local-model.ts');
const { searchQuery } = await import(R + 'bench/support/retrieval-quality.ts');
const { ndcg, recall } = await import(R + 'bench/support/ranking-metrics.ts');
const { loadPolicies } = await import(R + 'policies/load.ts');
const { fuse } = await import(R + 'domain/rules/fusion.ts');
const settings = loadSettings({});
const embedding = await withStoredVectors(await openLocalModel(settings), settings.cacheDir);
const retrieval = (await loadPolicies()).get('default')!.retrieval;
const client = new Client({ node: 'http://127.0.0.1:19277', maxRetries: 0 });
const W = (t: any[]) => t.filter((x) => x.kind === 'word').map((x) => x.text).join(' ');
const codes = (t: any[], boost: number) => t.filter((x) => x.kind === 'code').map((x) => ({ term: { codes: { value: x.text, boost } } }));
const cf = (t: any[], c: string, boost = 1) => ({ combined_fields: { query: W(t), fields: ['body', c] } });
const variants: Record<string, (t: any[]) => any[]> = {
  now: (t) => [cf(t, 'context^2'), ...codes(t, 2)],
  c1: (t) => [cf(t, 'context^1'), ...codes(t, 2)],
  c3: (t) => [cf(t, 'context^3'), ...codes(t, 2)],
  code1: (t) => [cf(t, 'context^2'), ...codes(t, 1)],
  code05: (t) => [cf(t, 'context^2'), ...codes(t, 0.5)],
  code0: (t) => [cf(t, 'context^2')],
  bodyonly: (t) => [{ match: { body: W(t) } }, ...codes(t, 1)],
  sum: (t) => [{ match: { body: W(t) } }, { match: { context: { query: W(t), boost: 1 } } }, ...codes(t, 1)],
  sum05: (t) => [{ match: { body: W(t) } }, { match: { context: { query: W(t), boost: 0.5 } } }, ...codes(t, 1)],
  best: (t) => [{ multi_match: { query: W(t), fields: ['body', 'context'], type: 'best_fields', tie_breaker: 0.3 } }, ...codes(t, 1)],
  neu03: (t) => [cf(t, 'context^2'), { match: { neutral: { query: W(t), boost: 0.3 } } }, ...codes(t, 1)],
  neu1: (t) => [cf(t, 'context^2'), { match: { neutral: { query: W(t), boost: 1 } } }, ...codes(t, 1)],
  neu1c1: (t) => [cf(t, 'context^1'), { match: { neutral: { query: W(t), boost: 1 } } }, ...codes(t, 1)],
};
const only = process.argv[2];
for (const name of ['scifact', 'cranfield']) {
  const corpus = await readJudgedCorpus('/work/shared/data/' + name);
  const index = await createElasticsearchIndex({ url: 'http://127.0.0.1:19277', indexPrefix: 'x' + name, dimensions: 384, requestTimeoutMs: 60000 });
  const queries: any[] = [];
  for (const q of corpus.queries) {
    const sq = await searchQuery(embedding, q.text, retrieval);
    const hits = await index.search({ tenant: 'bench', user: 'b', groups: [] }, sq);
    queries.push({ ...q, sq, knn: hits.knn, terms: questionTerms(sq.text, sq.identifiers) });
  }
  for (const [v, make] of Object.entries(variants)) {
    if (only && v !== only) continue;
    let s = [0, 0, 0, 0, 0];
    for (let i = 0; i < queries.length; i += 50) {
      const part = queries.slice(i, i + 50);
      const { responses } = await client.msearch({ searches: part.flatMap((q) => [{ index: `x${name}-passages` }, { size: 60, _source: false, docvalue_fields: ['passageId', 'documentId'], query: { bool: { should: make(q.terms), minimum_should_match: 1 } } }]) }, { requestTimeout: 60000 });
      responses.forEach((r: any, n) => {
        const q = part[n];
        const bm25 = r.hits.hits.map((h: any) => ({ passageId: h.fields.passageId[0], documentId: h.fields.documentId[0], score: h._score }));
        const doc = new Map([...bm25, ...q.knn].map((h: any) => [h.passageId, h.documentId]));
        const f = (o: any) => [...new Set(fuse({ bm25, knn: q.knn }, o).map((h: any) => doc.get(h.passageId)))] as string[];
        const rrf = f({ method: 'rrf', rankConstant: 60, weights: { bm25: 1, knn: 1 } });
        const cv = f({ method: 'convex', rankConstant: 60, weights: { bm25: 1, knn: 1 } });
        const b = [...new Set(bm25.map((h: any) => h.documentId))] as string[];
        s[0] += ndcg(b, q.judgements, 10); s[1] += ndcg(rrf, q.judgements, 10); s[2] += ndcg(cv, q.judgements, 10); s[3] += recall(b, q.judgements, 20); s[4] += recall(cv, q.judgements, 20);
      });
    }
    console.log(name, v.padEnd(10), 'bm25', (s[0] / queries.length).toFixed(4), 'rrf', (s[1] / queries.length).toFixed(4), 'convex', (s[2] / queries.length).toFixed(4), 'r20', (s[3] / queries.length).toFixed(4), (s[4] / queries.length).toFixed(4));
  }
  await index.close();
}
await client.close(); await embedding.close();
