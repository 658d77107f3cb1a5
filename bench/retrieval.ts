/**
 * How well passages are found: nDCG@10 and recall@20 on SciFact, Cranfield, SQuAD and ClapNQ, cited pages of the Northwind PDFs, and how long a
 * search takes; on the embedded index and on Elasticsearch. Needs the public data sets (PLUMBLINE_EVAL_DATA).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentParser } from '../adapters/parsers/port.ts';
import { createDocumentParser } from '../adapters/parsers/index.ts';
import type { EmbeddingModel } from '../adapters/models/port.ts';
import { ingestionOptionsSchema } from '../domain/contracts/ingestion.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { loadSettings } from '../launcher/settings.ts';
import { loadPolicies } from '../policies/load.ts';
import { parseLimits } from './support/parse-limits.ts';
import { createReport } from './report.ts';
import { readCitedPages } from './support/cited-pages.ts';
import { withStoredVectors } from './support/embedding-cache.ts';
import { dataSet, howToGetData } from './support/eval-data.ts';
import { elasticsearchHouse, embeddedHouse, type IndexHouse } from './support/indices.ts';
import { readJudgedCorpus, type JudgedCorpus } from './support/judged-corpus.ts';
import { openLocalModel } from './support/local-model.ts';
import { measurePages } from './support/page-quality.ts';
import { readClapNq, readSquad } from './support/question-sets.ts';
import { retrievalQuality } from './support/retrieval-quality.ts';
import { searchTimes } from './support/search-times.ts';
import { percentile } from './support/statistics.ts';
import { takeInTexts } from './support/take-in.ts';

interface JudgedSet {
  name: string;
  read: (folder: string) => Promise<JudgedCorpus>;
  /** Least nDCG@10 of the policy's ranking. */
  least: number | null;
}

/** The last two are watched, so that a fusion is not fitted to the others. */
const judged: JudgedSet[] = [
  { name: 'scifact', read: readJudgedCorpus, least: 0.73 },
  { name: 'cranfield', read: readJudgedCorpus, least: 0.415 },
  { name: 'squad2', read: readSquad, least: null },
  { name: 'clapnq', read: readClapNq, least: null },
];
/** How far the two indices may be apart in nDCG@10. */
const apart = 0.015;

const report = createReport('retrieval');
const split = ingestionOptionsSchema.parse({});
const fusedScores = new Map<string, number>();

interface Bench {
  embedding: EmbeddingModel;
  parser: DocumentParser;
  retrieval: Policy['retrieval'];
  spoolDir: string;
}

async function measureJudged(bench: Bench, house: IndexHouse, { name, read, least }: JudgedSet) {
  const folder = dataSet(name);
  if (folder === null) return report.missing(`${name}, ${house.kind}: fused nDCG@10`, howToGetData);
  const corpus = await read(folder);
  const index = await house.open(name);
  try {
    const passages = await takeInTexts({ ...bench, index }, corpus.documents, split);
    report.note(`${name}, ${house.kind}: ${corpus.documents.length} documents, ${passages} passages`);
    for (const { ranking, ndcg10, recall20 } of await retrievalQuality({ ...bench, index }, corpus, bench.retrieval)) {
      const fused = ranking === 'fused';
      if (fused) fusedScores.set(`${name}, ${house.kind}`, ndcg10);
      report.add(
        `${name}, ${house.kind}: ${ranking} nDCG@10`,
        ndcg10,
        fused && least !== null ? { atLeast: least } : 'reported',
      );
      report.add(`${name}, ${house.kind}: ${ranking} recall@20`, recall20, 'reported');
    }
    if (name === 'scifact') {
      const bare = house.bareSearch;
      const times = await searchTimes({ ...bench, index }, corpus.queries, {
        retrieval: bench.retrieval,
        bare: bare && ((query) => bare(name, query)),
      });
      report.add(`${name}, ${house.kind}: hybrid search p50 ms`, percentile(times.ours, 0.5), 'reported');
      report.add(`${name}, ${house.kind}: hybrid search p95 ms`, percentile(times.ours, 0.95), 'reported');
      report.add(`${name}, ${house.kind}: ranking the hits, p50 ms`, percentile(times.ranking, 0.5), 'reported');
      report.add(`${name}, ${house.kind}: ranking the hits, p95 ms`, percentile(times.ranking, 0.95), 'reported');
      if (times.bare.length > 0) {
        const ratio = percentile(times.ours, 0.5) / percentile(times.bare, 0.5);
        report.add(`${name}, ${house.kind}: bare msearch p50 ms`, percentile(times.bare, 0.5), 'reported');
        report.add(`${name}, ${house.kind}: hybrid search / bare msearch, p50`, ratio, { atMost: 1.5 });
      }
    }
  } finally {
    await index.close();
  }
}

async function measureNorthwind(bench: Bench, house: IndexHouse) {
  const folder = dataSet('northwind');
  if (folder === null) return report.missing(`northwind, ${house.kind}: cited page`, howToGetData);
  const index = await house.open('northwind');
  try {
    const result = await measurePages({ ...bench, index }, await readCitedPages(folder), { split, ...bench });
    report.note(`northwind, ${house.kind}: ${result.questions} questions, ${result.passages} passages`);
    report.add(`northwind, ${house.kind}: cited page first`, result.first, { atLeast: 0.6 });
    report.add(`northwind, ${house.kind}: cited page among the first five`, result.five, { atLeast: 0.86 });
    report.add(`northwind, ${house.kind}: cited page in the first five passages`, result.fivePassages, 'reported');
    report.add(`northwind, ${house.kind}: pages with text that no passage holds`, result.lostPages, { atMost: 0 });
  } finally {
    await index.close();
  }
}

function compareIndices() {
  for (const { name } of judged) {
    const embedded = fusedScores.get(`${name}, embedded`);
    const elasticsearch = fusedScores.get(`${name}, elasticsearch`);
    const figure = `${name}: fused nDCG@10, difference of the two indices`;
    if (embedded === undefined || elasticsearch === undefined) report.missing(figure, 'one of the two is missing');
    else report.add(figure, Math.abs(embedded - elasticsearch), { atMost: apart });
  }
}

const settings = loadSettings(process.env);
const policy = (await loadPolicies()).get('default');
if (!policy) throw new Error('there is no default policy');
const spoolDir = await mkdtemp(join(tmpdir(), 'plumbline-bench-spool-'));
const embedding = await withStoredVectors(await openLocalModel(settings), settings.cacheDir);
const parser = createDocumentParser(parseLimits);
const bench: Bench = { embedding, parser, retrieval: policy.retrieval, spoolDir };
try {
  for (const openHouse of [embeddedHouse, elasticsearchHouse]) {
    const house = await openHouse(embedding.dimensions);
    try {
      for (const set of judged) await measureJudged(bench, house, set);
      await measureNorthwind(bench, house);
    } finally {
      await house.close();
    }
  }
  compareIndices();
} finally {
  await parser.close();
  await embedding.close();
  await rm(spoolDir, { recursive: true, force: true });
}
await report.finish();
