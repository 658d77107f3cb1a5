import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createBrowserFetcher, type BrowserOptions } from '../../adapters/web/browser/index.ts';
import { PageError, type PageFetcher, type PageLimits } from '../../adapters/web/port.ts';
import { describeWithChromium } from '../support/chromium.ts';
import { limits, oneParser } from './support/page-fetching.ts';
import { rejection, startWebServer, type Handler, type WebServer } from './support/web-server.ts';

const parser = oneParser();
const signal = new AbortController().signal;
const sentence = 'The deposit is 200 marks and is given back within thirty days after the key was returned. ';

describeWithChromium('a page that needs its scripts', (executablePath) => {
  let site: WebServer;
  let inside: WebServer;
  let handler: Handler;
  let fetcher: PageFetcher;
  const options = (): BrowserOptions => ({
    executablePath,
    sandbox: process.getuid?.() !== 0,
    parser,
    ports: [site.port, inside.port],
    allowedAddresses: [`127.0.0.1:${site.port}`],
  });
  beforeAll(async () => {
    site = await startWebServer((request, response) => handler(request, response));
    inside = await startWebServer(
      (_, response) => void response.writeHead(200, { 'access-control-allow-origin': '*' }).end('inside'),
    );
    fetcher = createBrowserFetcher(options());
  });
  afterEach(() => {
    site.requests.length = 0;
  });
  afterAll(async () => {
    await fetcher.close();
    await Promise.all([site.close(), inside.close(), parser.close()]);
  });

  const read = (path = '/', own: Partial<PageLimits> = {}, by = fetcher) =>
    by.fetch(site.url + path, { ...limits, timeoutMs: 20_000, ...own }, signal);
  const showing = (script: string, body = '<div id="app"></div>') => {
    handler = ({ path }, response) => {
      if (path === '/data.json') return void response.end(JSON.stringify({ text: sentence.repeat(4) }));
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><title>Deposits</title>${body}<script>${script}</script>`);
    };
  };

  test('is read as its scripts have made it, without what they hide', async () => {
    showing(
      `fetch('/data.json').then((r) => r.json()).then(({ text }) => {
         document.getElementById('app').innerHTML = '<h1>Rules</h1><p>' + text + '</p><p class="x">Hidden words.</p>';
         const sheet = new CSSStyleSheet(); sheet.replaceSync('.x { display: none }'); document.adoptedStyleSheets = [sheet];
       });`,
    );
    const page = await read('/rules#part');
    expect(page).toMatchObject({ url: `${site.url}/rules`, title: 'Deposits' });
    expect(page.document.text).toContain(sentence.trim());
    expect(page.document.text).not.toContain('Hidden words');
  }, 60_000);

  test('reaches nothing inside, by whatever its scripts try', async () => {
    const target = `127.0.0.1:${inside.port}`;
    showing(
      `const say = (t) => { const p = document.createElement('p'); p.textContent = t; document.body.append(p); };
       for (const host of ['${target}', 'localhost:${inside.port}', '[::1]:${inside.port}', '169.254.169.254', '10.0.0.1'])
         fetch('http://' + host + '/').then((r) => r.text()).then(say, () => {});
       new WebSocket('ws://${target}/');
       new Image().src = 'http://${target}/i.png';
       const s = document.createElement('script'); s.src = 'http://${target}/x.js'; document.head.append(s);
       const f = document.createElement('iframe'); f.src = 'http://${target}/'; document.body.append(f);
       navigator.sendBeacon('http://${target}/beacon', 'q');
       const pc = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${target}' }] }); pc.createDataChannel('x');
       pc.createOffer().then((o) => pc.setLocalDescription(o));`,
      `<p>${sentence.repeat(4)}</p>`,
    );
    const page = await read();
    expect(page.document.text).not.toContain('inside');
    expect(inside.connections()).toBe(0);
  }, 60_000);

  test.each([
    ['by itself', () => `http://127.0.0.1:${inside.port}/`],
    ['by a name', () => `http://localhost:${inside.port}/`],
  ])(
    'is not read where it is inside %s',
    async (_, address) => {
      const failure = await rejection(fetcher.fetch(address(), { ...limits, timeoutMs: 20_000 }, signal));
      expect(failure).toMatchObject({ code: 'blocked_address' });
      expect(inside.connections()).toBe(0);
    },
    60_000,
  );

  test('is not followed inside, by a redirect or a script', async () => {
    handler = (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end();
    expect(await rejection(read())).toMatchObject({ code: 'blocked_address' });
    showing(`location.href = 'http://127.0.0.1:${inside.port}/';`);
    expect(await rejection(read())).toBeInstanceOf(PageError);
    expect(inside.connections()).toBe(0);
  }, 60_000);

  test('ends at its limits of time and size', async () => {
    showing('for (;;) {}');
    const started = Date.now();
    expect(await rejection(read('/', { timeoutMs: 4_000 }))).toMatchObject({ code: 'timeout' });
    expect(Date.now() - started).toBeLessThan(9_000);
    showing(`document.getElementById('app').textContent = 'x'.repeat(2e6);`);
    expect(await rejection(read())).toMatchObject({ code: 'too_large' });
    handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('<p>again</p>'.repeat(20_000)), 5);
      response.on('close', () => clearInterval(timer));
    };
    expect(await rejection(read('/', { maxUnpackedBytes: 3_000_000 }))).toMatchObject({ code: 'too_large' });
  }, 90_000);

  test('is asked for only by reading, as the rules of its site allow', async () => {
    handler = ({ path }, response) =>
      path === '/robots.txt'
        ? void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /')
        : void response.end(sentence);
    expect(await rejection(read('/', { robots: true }))).toMatchObject({ code: 'blocked_by_robots' });
    showing(`fetch('/take', { method: 'POST', body: 'x' });`, `<p>${sentence.repeat(4)}</p>`);
    await read();
    expect(site.requests.map(({ method }) => method)).not.toContain('POST');
  }, 60_000);

  test('that is not there, or no page, is told as that', async () => {
    handler = (_, response) => void response.writeHead(404).end('no');
    expect(await rejection(read())).toMatchObject({ code: 'not_found' });
    handler = (_, response) => void response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
    expect(await rejection(read())).toMatchObject({ code: 'unsupported_type' });
  }, 60_000);

  test('is stopped with its browser when the step is cancelled', async () => {
    showing('for (;;) {}');
    const stop = new AbortController();
    const reading = rejection(fetcher.fetch(site.url, { ...limits, timeoutMs: 30_000 }, stop.signal));
    await pause(1_500);
    const at = Date.now();
    stop.abort(new Error('cancelled'));
    expect(await reading).toMatchObject({ message: 'cancelled' });
    expect(Date.now() - at).toBeLessThan(3_000);
  }, 60_000);

  test('goes out through the proxies in turn, by the address that was checked', async () => {
    const used: string[] = [];
    const proxies = await Promise.all([outboundProxy('a', used), outboundProxy('b', used)]);
    showing('', `<p>${sentence.repeat(4)}</p>`);
    const own = createBrowserFetcher({
      ...options(),
      proxies: proxies.map(({ url }) => url),
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const address = `http://keys.example:${site.port}/`;
    for (let n = 0; n < 2; n++) {
      const page = await own.fetch(address, { ...limits, timeoutMs: 20_000 }, signal);
      expect(page.document.text).toContain(sentence.trim());
    }
    expect(new Set(used)).toEqual(new Set(['a', 'b'].map((name) => `${name} user:secret 127.0.0.1:${site.port}`)));
    await own.close();
    for (const proxy of proxies) proxy.close();
  }, 60_000);
});

/** A forward proxy that tells whom it was asked to reach, and by whom. */
async function outboundProxy(name: string, used: string[]) {
  const server = createServer();
  server.on('connect', (message, client) => {
    const secret = Buffer.from((message.headers['proxy-authorization'] ?? '').replace('Basic ', ''), 'base64');
    used.push(`${name} ${secret.toString()} ${message.url}`);
    const { hostname, port } = new URL(`http://${message.url}`);
    const socket = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(client);
      client.pipe(socket);
    });
    socket.on('error', () => client.destroy());
    client.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://user:secret@127.0.0.1:${port}`,
    close: () => void (server.closeAllConnections(), server.close()),
  };
}
