/**
 * `npm run bench:models`: Plumbline with paid models beside LangGraph.js corrective RAG, against one scripted provider server with set waits
 * (PLUMBLINE_PEER names the folder with both). Plumbline runs as a user would run it: durable, over its HTTP API, with the embedded Temporal.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Stack } from '../launcher/stack.ts';
import { listSourceFiles } from '../client/source-files.ts';
import { documentFolder } from './support/document-folder.ts';
import { killInThirdCall } from './support/kill-in-third-call.ts';
import { modelPolicies } from './support/model-policies.ts';
import {
  installPeer,
  runPeer,
  scenarioFile,
  ScriptedProvider,
  type PeerRuns,
  type PeerScenario,
  type ServerStats,
} from './support/peer.ts';
import { createReport } from './report.ts';
import { elapsed, median } from './support/statistics.ts';
import { startTemporaryStack } from './support/temporary-stack.ts';
import { watchOverHttp, type Watched } from './support/watch-over-http.ts';

const { values: flags } = parseArgs({ options: { runs: { type: 'string', default: '20' } } });
const runs = Number(flags.runs);
const report = createReport('models');

type Run = Watched & { stats: ServerStats };

/** One after the other, the server's counts taken for each. The first one warms up and is not counted. */
async function ask(stack: Stack, server: ScriptedProvider, { policy, texts }: { policy: string; texts: string[] }) {
  const done: Run[] = [];
  for (let at = -1; at < runs; at++) {
    await server.reset();
    const question = texts[(at + texts.length) % texts.length] ?? '';
    const watched = await watchOverHttp(stack, { question, policy });
    if (at >= 0) done.push({ ...watched, stats: await server.stats() });
  }
  const answered = done.filter(({ outcome }) => outcome.status === 'answered').length;
  report.note(`  ${policy}: ${answered} of ${done.length} answered; calls ${JSON.stringify(done[0]?.stats.calls)}`);
  return done;
}

const most = (values: number[]) => Math.max(...values);
const wall = (done: Run[]) => median(done.map(({ ms }) => ms));
const added = (done: Run[]) => median(done.map(({ ms, stats }) => ms - stats.nominalMs));

async function straight({ stack, server, scenario, peers }: House) {
  const texts = textsOf(scenario, 'CORRECT');
  const done = await ask(stack, server, { policy: 'bench-generate', texts });
  const calls = most(done.map(({ stats }) => stats.llmCalls));
  report.add('CORRECT, local grader: model calls a run, most', calls, { atMost: 1 });
  const firstText = median(done.map(({ firstTextMs }) => firstTextMs ?? Number.POSITIVE_INFINITY));
  report.add('CORRECT, local grader: POST to first token, p50 ms', firstText, { atMost: 900 });
  report.note(`  the peer's (variant A): ${peers.straight.ttft50} ms, ${JSON.stringify(peers.straight.calls)}`);
  report.add('CORRECT, local grader: end to end / variant A', wall(done) / peers.straight.p50, { atMost: 0.65 });
  report.add('CORRECT, local grader: added to the scripted waits, p50 ms', added(done), { atMost: 200 });
  report.note(`  the peer's (variant A): ${peers.straight.ovh50} ms`);
}

async function judged({ stack, server, scenario, peers }: House) {
  const texts = textsOf(scenario, 'CORRECT');
  for (const [name, perExtraItemMs] of [
    ['one batched call', 0],
    ['one batched call, 150 ms more a passage', 150],
  ] as const) {
    const slower = { ...scenario, timing: { ...scenario.timing, grade: { ms: 350, perExtraItemMs } } };
    await withScenario(server, slower, async () => {
      const done = await ask(stack, server, { policy: 'bench-judge', texts });
      report.add(`CORRECT, ${name}: model calls a run, most`, most(done.map(({ stats }) => stats.llmCalls)), {
        atMost: 3,
      });
      report.add(`CORRECT, ${name}: end to end / variant C`, wall(done) / peers.perPassage.p50, { atMost: 0.4 });
      report.add(`CORRECT, ${name}: end to end / variant A`, wall(done) / peers.straight.p50, { atMost: 0.999 });
    });
  }
}

async function outside({ stack, server, scenario, peers }: House) {
  const done = await ask(stack, server, { policy: 'bench-web', texts: textsOf(scenario, 'INCORRECT') });
  const { calls } = done[0]?.stats ?? { calls: {} };
  report.note(
    `  the peer's (variant A): ${peers.outside.p50} ms, ${JSON.stringify(peers.outside.calls)}; ours ${JSON.stringify(calls)}`,
  );
  report.add('INCORRECT: end to end / variant A', wall(done) / peers.outside.p50, { atMost: 0.8 });
  report.add('INCORRECT: web searches a run, most', most(done.map(({ stats }) => stats.webCalls)), { atMost: 1 });
}

const atOnce = 20;
const crowdTotal = 60;

/** In turn with the peer, so that both see the machine in the same state; the median of the ratios counts. */
async function crowd({ stack, server, scenario }: House) {
  const texts = textsOf(scenario, 'CORRECT');
  const flags = ['--conc', String(atOnce), '--total', String(crowdTotal)];
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    const theirs = (await runPeer(peer, { variant: 'A', kind: 'CORRECT', server, flags })).runsPerS ?? 0;
    const ours = await runsPerSecond(stack, texts);
    report.note(`  ${atOnce} at once: ${ours.toFixed(1)} runs a second, variant A ${theirs}`);
    ratios.push(ours / theirs);
  }
  report.add(`${atOnce} at once, real waits: runs a second / variant A`, median(ratios), { atLeast: 1 });
}

async function runsPerSecond(stack: Stack, texts: string[]): Promise<number> {
  let next = 0;
  const ms = await elapsed(() =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let at = next++; at < crowdTotal; at = next++) {
          await watchOverHttp(stack, { question: texts[at % texts.length] ?? '', policy: 'bench-generate' });
        }
      }),
    ),
  );
  return (crowdTotal * 1000) / ms;
}

/** Cancels at the first piece of text and watches the provider's side. */
async function cancelled(stack: Stack, server: ScriptedProvider, scenario: PeerScenario) {
  await server.reset();
  let cancelledAt: number | null = null;
  const watching = watchOverHttp(stack, {
    question: textsOf(scenario, 'CORRECT')[0] ?? '',
    policy: 'bench-generate',
    onEvent: (event, id) => {
      if (event.type !== 'text-delta' || cancelledAt !== null) return;
      cancelledAt = performance.now();
      const headers = { authorization: `Bearer ${stack.principals.token}` };
      void fetch(`${stack.apiUrl}/v1/questions/${id}`, { method: 'DELETE', headers });
    },
  });
  let closedAt: number | null = null;
  const poll = setInterval(() => {
    void server.stats().then(({ aborted }) => {
      if (aborted > 0) closedAt ??= performance.now();
    });
  }, 20);
  await watching;
  await pause(500);
  clearInterval(poll);
  const ms = closedAt === null || cancelledAt === null ? Number.POSITIVE_INFINITY : closedAt - cancelledAt;
  report.add('cancel while streaming: until the provider sees the socket close, ms', ms, { atMost: 2000 });
  report.add('cancel while streaming: model calls', (await server.stats()).llmCalls, { atMost: 1 });
}

async function takeIn(stack: Stack, { documents }: PeerScenario) {
  const { folder: sources, remove } = await documentFolder(documents);
  const { files } = await listSourceFiles([sources]);
  const ingestion = await stack.plumbline.ingest(stack.principals.owner, { files, operator: true });
  const { counts } = await ingestion.report();
  await remove();
  if (counts.ready !== documents.length) throw new Error(`only ${counts.ready} of ${documents.length} were taken in`);
}

async function withScenario(server: ScriptedProvider, scenario: PeerScenario, work: () => Promise<void>) {
  const file = join(folder, 'scenario.json');
  await writeFile(file, JSON.stringify(scenario));
  await server.reset(file);
  await work();
  await server.reset(scenarioFile(peer));
}

function textsOf(scenario: PeerScenario, kind: string): string[] {
  return scenario.questions.filter((question) => question.kind === kind).map(({ text }) => text);
}

/** All that is measured against each other. */
interface House {
  stack: Stack;
  server: ScriptedProvider;
  scenario: PeerScenario;
  peers: Peers;
}

interface Peers {
  straight: PeerRuns;
  outside: PeerRuns;
  perPassage: PeerRuns;
}

async function measurePeers(server: ScriptedProvider): Promise<Peers> {
  report.note('the peer, alone against the same server');
  const once = ['--runs', String(runs)];
  const kind = 'CORRECT';
  return {
    straight: await runPeer(peer, { variant: 'A', kind, server, flags: once }),
    outside: await runPeer(peer, { variant: 'A', kind: 'INCORRECT', server, flags: once }),
    perPassage: await runPeer(peer, { variant: 'C', kind, server, flags: ['--runs', String(Math.ceil(runs / 4))] }),
  };
}

const found = installPeer((line) => report.note(line));
if (found === null) throw new Error('the peer is not there; PLUMBLINE_PEER names its folder (docs/benchmarks.md)');
const peer = found;
const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-models-'));
const server = await ScriptedProvider.start(peer);
try {
  const scenario = JSON.parse(await readFile(scenarioFile(peer), 'utf8')) as PeerScenario;
  const env = {
    ...(await modelPolicies(folder)),
    OPENAI_API_KEY: 'scripted',
    OPENAI_BASE_URL: `${server.url}/v1`,
    TAVILY_API_KEY: 'scripted',
    TAVILY_BASE_URL: server.url,
  };
  const peers = await measurePeers(server);
  const stack = await startTemporaryStack((line) => report.note(line), env);
  try {
    await takeIn(stack, scenario);
    const house = { stack, server, scenario, peers };
    await straight(house);
    await judged(house);
    await outside(house);
    await crowd(house);
    await cancelled(stack, server, scenario);
  } finally {
    await stack.stop();
  }
  const { undisturbed, repeated } = await killInThirdCall({ server, scenario, env });
  report.add(`kill -9 in the third of ${undisturbed} paid calls: calls repeated`, repeated, { atMost: 1 });
} finally {
  server.stop();
  await rm(folder, { recursive: true, force: true });
}
await report.finish();
