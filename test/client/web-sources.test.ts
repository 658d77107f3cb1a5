import { spawn } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Citation, Outcome } from '../../domain/contracts/answer.ts';
import { sendJson, startWebServer, type WebServer } from '../web/support/web-server.ts';
import { entry, plumbline } from './cli-process.ts';

/** An API that knows one run, as the view says. */
let api: WebServer;
let view: object;
let env: Record<string, string>;
beforeAll(async () => {
  api = await startWebServer(({ path, method }, response) => {
    if (path.endsWith('/events')) return void response.writeHead(204).end();
    if (path.endsWith('/forks')) return sendJson(response, { forks: [] });
    if (method === 'GET' && path.startsWith('/v1/questions?')) return sendJson(response, { questions: runs });
    return sendJson(response, view);
  });
  env = { PLUMBLINE_URL: api.url, PLUMBLINE_TOKEN: 'token' };
});
afterAll(() => api.close());

const runs = Array.from({ length: 2_000 }, (_, n) => ({
  id: `run-${n}`,
  question: 'What is the late fee of the public library, and when is it due? '.repeat(2),
  status: 'answered',
  askedAt: '2026-11-30T00:00:00.000Z',
}));

const citation: Citation = {
  n: 1,
  evidenceId: 'e1',
  documentId: 'd1',
  origin: 'corpus',
  title: 'Fees',
  uri: 'file:fees.md',
  section: 'Late',
  page: 2,
  quote: 'The fee is 9.',
  start: 0,
  end: 13,
  readAt: null,
};
const readAt = '2026-11-30T04:05:06.000Z';
const longAddress = `https://boats.example/${'petrel/'.repeat(20)}`;
const fromTheWeb: Citation = {
  ...citation,
  n: 2,
  origin: 'web',
  title: 'Boats',
  section: '',
  page: null,
  uri: longAddress,
  readAt,
};
const fromReviewer: Citation = { ...fromTheWeb, n: 3, origin: 'reviewer', title: 'Answer of ada', uri: '' };

const ended: Omit<Outcome, 'review'> & { review: null } = {
  question: 'What is the fee?',
  status: 'answered',
  answer: 'The fee is 9. [1]',
  statements: [],
  citations: [],
  verdict: 'CORRECT',
  quality: { status: 'sufficient', aspects: [], missingAspects: [], conflicts: [] },
  reason: null,
  limitation: null,
  evidence: [],
  ledger: [],
  degraded: [],
  grounding: null,
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0, estimated: false, calls: [] },
  timings: { totalMs: 5, steps: [] },
  versions: { policy: 'web@1', prompts: 'none', models: {} },
  review: null,
};
const show = (outcome: Partial<Outcome>) => {
  view = { ...ended, ...outcome, id: 'q1', forkOf: null, run: { workflowId: 'w', runId: 'r', url: null } };
};
beforeEach(() => show({}));

describe.each([
  ['ask', ['ask', 'What is the fee?']],
  ['runs show', ['runs', 'show', 'q1']],
])('plumbline %s', (_, command) => {
  test('shows address and day of what is from the web or a reviewer', async () => {
    show({ citations: [citation, fromTheWeb, fromReviewer] });
    const { stdout } = await plumbline(command, { env });
    expect(stdout).toContain('[1] Fees › Late › page 2\n    “The fee is 9.”\n');
    expect(stdout).toContain(`[2] Boats\n    ${longAddress} (read on 2026-11-30)\n    “`);
    expect(stdout).toContain('[3] Answer of ada\n    given by a reviewer on 2026-11-30\n    “');
  });

  test('tells an outage apart from nothing found', async () => {
    const message =
      'None of the documents that you may read speaks to this question. The web could not be searched (Web.Unavailable).';
    const tried = { query: '', found: 0, verdict: 'INCORRECT' as const, ms: 3 };
    show({
      status: 'abstained',
      answer: null,
      reason: { code: 'no_evidence', message },
      ledger: [
        { ...tried, tier: 'rewrite', note: null },
        { ...tried, tier: 'web', note: 'the web search failed: Web.Unavailable' },
      ],
      degraded: [{ step: 'search-web', reason: 'Web.Unavailable', instead: 'what the corpus gives' }],
    });
    const { stdout } = await plumbline(command, { env });
    expect(stdout).toContain(`${message}\nTried: rewrite, web.\n`);
    expect(stdout).toMatch(/web: .*the web search failed: Web\.Unavailable/s);
    expect(stdout.match(/the web search failed/g)).toHaveLength(1);
    expect(stdout).toContain('search-web failed (Web.Unavailable); used instead: what the corpus gives');
  });
});

test('plumbline runs show names address and day of evidence from the web', async () => {
  const { n: _n, evidenceId, quote: _q, start: _s, end: _e, page: _p, ...source } = fromTheWeb;
  show({ evidence: [{ ...source, id: evidenceId, score: 0.9, label: 'relevant', reason: '', used: true }] });
  const { stdout } = await plumbline(['runs', 'show', 'q1'], { env });
  expect(stdout).toMatch(/\* 0\.90 relevant {3}Boats\n {20}https:\/\/boats\.example\/\S+ \(read on 2026-11-30\)\n/);
});

test('a reader that stops after the first line ends the command quietly', async () => {
  const child = spawn(process.execPath, [entry, 'runs', 'list'], { env: { ...process.env, ...env } });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.once('data', () => child.stdout.destroy());
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});
