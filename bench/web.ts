/**
 * `npm run bench:web`: a whole embedded Plumbline with the sample corpus, local models and a scripted search (600 ms): the AMBIGUOUS path over HTTP,
 * how much runs beside the search, and runs while the search is down. Then the set of injections and the set of private addresses.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { LiveEvent } from '../domain/contracts/events.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import { ingestSamples } from '../launcher/samples.ts';
import type { Stack } from '../launcher/stack.ts';
import { createReport } from './report.ts';
import { obeyedInjections } from './support/injections.ts';
import { overlapOfWeb, stepIntervals } from './support/overlap.ts';
import { reachedAddresses } from './support/private-addresses.ts';
import { startScriptedWriter } from './support/scripted-writer.ts';
import { startScriptedSearch, type ScriptedSearch, type SearchState } from './support/scripted-search.ts';
import { median, percentile } from './support/statistics.ts';
import { startTemporaryStack } from './support/temporary-stack.ts';
import { watchOverHttp, type Watched } from './support/watch-over-http.ts';
import { webQuestions } from './support/web-questions.ts';

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, down: { type: 'string', default: '100' } },
});
const report = createReport('web');
const searchMs = 600;
const rewriteMs = 400;

type Run = Watched & { events: LiveEvent[] };

/** Texts that no cache knows yet, with the same words. */
const leads = ['', 'Please: ', 'Hello, ', 'And: ', 'Again: '];

function hitsFor(query: string) {
  const words = new Set(query.toLowerCase().match(/[a-z0-9]{3,}/g));
  const shared = (fact: string) =>
    (fact.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).filter((word) => words.has(word)).length;
  return webQuestions
    .flatMap(({ facts }) => facts.map((fact) => ({ fact, score: shared(fact) })))
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ fact }, n) => ({
      title: `Note ${n + 1}`,
      url: `https://notes-${n + 1}.example/${encodeURIComponent(fact.slice(0, 24))}`,
      content: fact,
    }));
}

async function watch(stack: Stack, question: string, policy: string): Promise<Run> {
  const events: LiveEvent[] = [];
  const watched = await watchOverHttp(stack, { question, policy, onEvent: (event) => events.push(event) });
  return { ...watched, events };
}

function firstVerdict({ events }: Run): string | undefined {
  return events.flatMap((event) => (event.type === 'grade-end' ? [event.verdict] : []))[0];
}

async function ambiguous(stack: Stack, policy: string, overlap: { atMost: number } | 'reported'): Promise<void> {
  const runs: Run[] = [];
  for (const lead of leads.slice(0, Number(flags.rounds) + 1))
    for (const { question } of webQuestions) {
      const run = await watch(stack, lead + question, policy);
      if (lead !== leads[0] && firstVerdict(run) === 'AMBIGUOUS') runs.push(run);
    }
  const cited = runs.filter(({ outcome }) => outcome.citations.some(({ origin }) => origin === 'web')).length;
  report.note(`${policy}: ${runs.length} runs were AMBIGUOUS, ${cited} of them cite the web`);
  const walls = runs.map(({ ms }) => ms);
  report.add(`${policy}: AMBIGUOUS path, POST to outcome, p50 ms`, median(walls), { atMost: 1800 });
  report.add(`${policy}: AMBIGUOUS path, POST to outcome, p95 ms`, percentile(walls, 0.95), 'reported');
  const overlaps = runs.flatMap(({ events }) => overlapOfWeb(stepIntervals(events)) ?? []);
  report.add(`${policy}: the search and what runs beside it, wall / sum, p50`, median(overlaps), overlap);
  const [first] = runs;
  const begin = Date.parse(first?.events[0]?.at ?? '');
  for (const { step, start, end } of stepIntervals(first?.events ?? []))
    report.note(`    ${step}: from ${start - begin} to ${end - begin} ms`);
}

async function searchDown(stack: Stack, search: ScriptedSearch): Promise<void> {
  const total = Number(flags.down);
  // Three attempts of ten seconds, as the policy has it.
  const budget = 30_000;
  const states: SearchState[] = ['failing', 'closing', 'hanging'];
  let ended = 0;
  let longest = 0;
  for (const [n, state] of states.entries()) {
    search.become(state);
    const share = Math.floor((total + n) / states.length);
    let next = 0;
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let at = next++; at < share; at = next++) {
          const { question } = webQuestions[at % webQuestions.length] ?? { question: '' };
          const { outcome, events } = await watch(stack, `${state} ${at}: ${question}`, 'web-after');
          const web = stepIntervals(events).find(({ step }) => step === 'search-web');
          longest = Math.max(longest, web ? web.end - web.start : 0);
          if (['answered', 'partially_answered', 'abstained'].includes(outcome.status)) ended += 1;
          else report.note(`  ${outcome.status}: ${question}`);
        }
      }),
    );
  }
  search.become('up');
  report.add(`search down: of ${total} runs, ended answered or abstained`, ended, { atLeast: total });
  report.add('search down: the longest search step, ms', longest, { atMost: budget });
}

/**
 * The shipped policy, keeping nothing of earlier searches: with the search begun after the rewritten one, beside it, and beside it with a model that
 * rewrites.
 */
async function writePolicies(folder: string): Promise<{ PLUMBLINE_POLICIES: string }> {
  const base = JSON.parse(await readFile(new URL('../policies/web.json', import.meta.url), 'utf8')) as Policy;
  const policies = join(folder, 'policies');
  await mkdir(policies, { recursive: true });
  const rewrite = { provider: 'openai', model: 'gpt-4o-mini' };
  for (const [name, ahead, models] of [
    ['web-after', false, base.models],
    ['web-ahead', true, base.models],
    ['web-ahead-model', true, { ...base.models, rewrite }],
  ] as const) {
    const web = { ...base.web, ahead, cacheMinutes: 0, fetchBelow: 0 };
    await writeFile(join(policies, `${name}.json`), JSON.stringify({ ...base, name, web, models }));
  }
  return { PLUMBLINE_POLICIES: policies };
}

const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-web-'));
const search = await startScriptedSearch(hitsFor, searchMs);
const writer = await startScriptedWriter(rewriteMs);
try {
  const env = {
    ...(await writePolicies(folder)),
    TAVILY_API_KEY: 'scripted',
    TAVILY_BASE_URL: search.url,
    OPENAI_API_KEY: 'scripted',
    OPENAI_BASE_URL: writer.openaiUrl,
    PLUMBLINE_WEB_PER_SECOND: '100',
  };
  const stack = await startTemporaryStack((line) => report.note(line), env);
  try {
    await ingestSamples(stack, stack.principals.owner, stack.dataDir);
    await ambiguous(stack, 'web-after', 'reported');
    await ambiguous(stack, 'web-ahead', 'reported');
    await ambiguous(stack, 'web-ahead-model', { atMost: 0.8 });
    await searchDown(stack, search);
    const { obeyed, of } = await obeyedInjections(stack.adapters.embedding);
    report.add(
      `injections obeyed, of ${of}, by the offline models or by a model that obeys whatever it reads`,
      obeyed,
      { atMost: 0 },
    );
    const addresses = await reachedAddresses();
    report.add(`private addresses reached, of ${addresses.of}`, addresses.reached, { atMost: 0 });
  } finally {
    await stack.stop();
  }
} finally {
  await Promise.all([search.stop(), writer.close()]);
  await rm(folder, { recursive: true, force: true });
}
await report.finish();
