import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Outcome } from '../../domain/contracts/answer.ts';
import { describeWithChromium } from '../support/chromium.ts';
import { House, type PlumblineProcess } from '../support/plumbline-process.ts';
import { sendJson, startWebServer, type WebServer } from '../web/support/web-server.ts';

const question = 'What is the top speed of the workboat Petrel in knots?';
const fact = 'The workboat Petrel reaches a top speed of 21 knots when it is not towing.';

describeWithChromium('a stack with a browser worker beside it', (executablePath) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-browser-'));
  let site: WebServer;
  let house: House;
  let stack: PlumblineProcess;
  let browserWorker: PlumblineProcess;
  beforeAll(async () => {
    site = await startWebServer(({ method, path }, response) => {
      if (method === 'POST')
        return sendJson(response, { results: [{ url: `${site.url}/petrel`, title: 'Petrel', content: '' }] });
      if (path === '/robots.txt') return void response.writeHead(404).end();
      const script = `document.body.innerHTML = '<h1>Petrel</h1><p>${fact} It was built in 2019 at the yard of Ravelin.</p>'`;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>Petrel</title><body><div id="app"></div><script>${script}</script></body>`);
    });
    const policy = JSON.parse(readFileSync(new URL('../../policies/web.json', import.meta.url), 'utf8')) as {
      web: object;
    };
    const own = { ...policy, name: 'by-browser', web: { ...policy.web, browser: true, cacheMinutes: 0 } };
    writeFileSync(join(folder, 'by-browser.json'), JSON.stringify(own));
    house = await House.create();
    const env = {
      TAVILY_API_KEY: 'scripted',
      TAVILY_BASE_URL: site.url,
      PLUMBLINE_POLICIES: folder,
      PLUMBLINE_WEB_ALLOWED_ADDRESSES: `127.0.0.1:${site.port}`,
    };
    stack = await house.up(env);
    browserWorker = house.run(['browser-worker'], {
      ...env,
      TEMPORAL_ADDRESS: house.temporalAddress,
      PLUMBLINE_BROWSER: executablePath,
      PLUMBLINE_BROWSER_SANDBOX: String(process.getuid?.() !== 0),
    });
    await browserWorker.says('asks Temporal at');
  }, 240_000);
  afterAll(async () => {
    await browserWorker?.stop();
    await stack?.stop();
    house?.remove();
    await site.close();
    rmSync(folder, { recursive: true });
  });

  const ask = async (policy: string): Promise<Outcome> => {
    const init = { method: 'POST', headers: { prefer: 'wait=60' }, body: JSON.stringify({ question, policy }) };
    return (await (await house.fetch('/v1/questions', init)).json()) as Outcome;
  };

  test('answers from a page that its scripts have made', async () => {
    expect(await ask('by-browser')).toMatchObject({
      status: 'answered',
      statements: [{ text: fact }],
      citations: [{ origin: 'web', uri: `${site.url}/petrel` }],
      degraded: [],
    });
  }, 90_000);

  test('leaves it unread under a policy that does not ask for a browser', async () => {
    const outcome = await ask('web');
    expect(outcome.status).toBe('abstained');
    expect(outcome.ledger.find(({ tier }) => tier === 'web')?.note).toBe('1 of 1 pages could not be read');
  }, 90_000);
});
