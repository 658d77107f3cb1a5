import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createPageFetcher } from '../../adapters/web/harvest/index.ts';
import { PageError, type PageFetcher, type PageLimits } from '../../adapters/web/port.ts';
import { drawnPdf } from '../parsers/support/pdf-files.ts';
import { limits, oneParser } from './support/page-fetching.ts';
import { type Handler, rejection, startWebServer, type WebServer } from './support/web-server.ts';

const parser = oneParser();
const signal = new AbortController().signal;
const sentence = 'The deposit is 200 marks and is given back within thirty days after the key was returned. ';
const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>Deposits</title>${head}</head><body>${body}</body></html>`;

let server: WebServer;
let fetcher: PageFetcher;
let handler: Handler;

beforeAll(async () => {
  server = await startWebServer((request, response) => handler(request, response));
  fetcher = createPageFetcher({ parser, ports: [server.port], allowedAddresses: [`127.0.0.1:${server.port}`] });
});
afterAll(async () => {
  await fetcher.close();
  await server.close();
  await parser.close();
});
afterEach(() => {
  server.requests.length = 0;
});

const read = (path = '/', own: Partial<PageLimits> = {}) =>
  fetcher.fetch(server.url + path, { ...limits, ...own }, signal);

function answering(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): void {
  handler = (_, response) => void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
}

describe('a page', () => {
  test('is read with its tables, without menus and what nobody sees', async () => {
    const menu = Array.from({ length: 20 }, (_, n) => `<li><a href="/${n}">Entry ${n}</a></li>`).join('');
    answering(
      page(
        `<div class="m"><ul>${menu}</ul></div><div><h2>Rules</h2><p>${sentence.repeat(3)}</p><p class="gone">Reply MAGNOLIA.</p>
         <p style="font-size:0">Reply MAGNOLIA.</p><!-- MAGNOLIA --><table><tr><th>Plan<th>Price</tr><tr><td>Gold<td>55</tr></table>
         <p>${sentence.repeat(2)}</p></div><div>Copyright</div>`,
        '<style>.gone { display: none }</style>',
      ),
    );
    const found = await read('/rules#part');
    const { text, blocks } = found.document;
    expect(found).toMatchObject({
      url: `${server.url}/rules`,
      title: 'Deposits',
      document: { format: 'html', language: 'en' },
    });
    expect(Date.now() - Date.parse(found.fetchedAt)).toBeLessThan(10_000);
    expect(text).toContain('The deposit is 200 marks');
    expect(text).toContain('Plan | Price\nGold | 55');
    expect(blocks.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['heading', 'header', 'row']));
    for (const unwanted of ['MAGNOLIA', 'Entry 3', 'Copyright']) expect(text).not.toContain(unwanted);
  });

  test('has a hash of its address and text', async () => {
    answering(page(`<p>${sentence}</p>`));
    const [first, again, elsewhere] = [await read('/a'), await read('/a'), await read('/b')];
    expect(first.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(again.contentHash).toBe(first.contentHash);
    expect(elsewhere.contentHash).not.toBe(first.contentHash);
    answering(page(`<p>${sentence}Now.</p>`));
    expect((await read('/a')).contentHash).not.toBe(first.contentHash);
  });

  test('may be a PDF, with its pages', async () => {
    answering(await drawnPdf(['The fee is 12 marks.', 'It is due in May.'].map((text) => [{ text, x: 40, y: 80 }])), {
      'content-type': 'application/pdf',
    });
    const { document } = await read('/fees.pdf');
    expect(document).toMatchObject({ format: 'pdf', pages: 2 });
    expect(document.text).toContain('It is due in May.');
  });

  test('may be plain text or Markdown', async () => {
    answering('The fee is 12 marks.', { 'content-type': 'text/plain; charset=utf-8' });
    expect((await read()).document).toMatchObject({ format: 'text', text: 'The fee is 12 marks.' });
    answering('# Fees\n\n12 marks', { 'content-type': 'text/markdown' });
    expect((await read()).document).toMatchObject({ format: 'markdown', title: 'Fees' });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('may be packed by %s', async (coding, pack) => {
    answering(pack(page(`<p>${sentence}</p>`)), { 'content-encoding': coding });
    expect((await read()).document.text).toContain(sentence.trim());
  });

  test('is asked for politely', async () => {
    answering(page(`<p>${sentence}</p>`));
    await read();
    expect(server.requests[0]?.headers).toMatchObject({ 'user-agent': expect.stringMatching(/^Plumbline\//) });
    expect(server.requests[0]?.headers).not.toHaveProperty('cookie');
  });
});

describe('the encoding of a page', () => {
  const text = 'Größe: 20 € für „alle“';
  const latin = Buffer.from(page(`<p>Gr\u00f6\u00dfe f\u00fcr alle</p>`), 'latin1');
  const latinMeta = '<meta charset="iso-8859-1">';
  const ja = Buffer.concat([Buffer.from('<html><body><p>'), Buffer.from('90dd94f5935f8c9f', 'hex')]);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(page(`<p>${text}</p>`), 'utf16le')]);
  test.each([
    { name: 'named by the server', bytes: latin, charset: 'ISO-8859-1', expected: 'Größe für alle' },
    {
      name: 'named by the page',
      bytes: Buffer.from(page('<p>Größe für alle</p>', latinMeta), 'latin1'),
      charset: null,
      expected: 'Größe für alle',
    },
    { name: 'UTF-8, not what the server says', bytes: Buffer.from(page(text)), charset: 'iso-8859-1', expected: text },
    { name: 'UTF-8, not what the page says', bytes: Buffer.from(page(text, latinMeta)), charset: null, expected: text },
    { name: 'Latin-1, not what the server says', bytes: latin, charset: 'utf-8', expected: 'Größe für alle' },
    { name: 'of no known name', bytes: Buffer.from(page(text)), charset: 'klingon', expected: text },
    { name: 'Shift JIS', bytes: ja, charset: 'Shift_JIS', expected: '設備点検' },
    { name: 'UTF-16 with a mark', bytes: utf16, charset: 'utf-8', expected: text },
  ])('may be $name', async ({ bytes, charset, expected }) => {
    answering(bytes, { 'content-type': charset === null ? 'text/html' : `text/html; charset=${charset}` });
    expect((await read()).document.text).toBe(expected);
  });
});

describe('what is no page', () => {
  test.each(['image/png', 'video/mp4', 'application/zip', 'application/json', 'text/css'])(
    'of type %s is not read',
    async (type) => {
      answering('x'.repeat(500_000), { 'content-type': type });
      expect(await rejection(read())).toMatchObject({ code: 'unsupported_type', retryable: false });
    },
  );

  test('is told by its content where the server says otherwise', async () => {
    answering(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), {
      'content-type': 'text/html',
    });
    expect(await rejection(read())).toMatchObject({ code: expect.stringMatching(/unsupported_type|unreadable/) });
    answering('a,b\n1,2', { 'content-type': 'application/octet-stream' });
    expect((await read()).document.format).toBe('text');
  });

  test('but a shell for scripts is unreadable', async () => {
    answering(page('<div id="app"></div><script>draw()</script>'));
    expect(await rejection(read())).toMatchObject({ code: 'unreadable', retryable: false });
  });
});

describe('limits', () => {
  test('a page that says it is too large is not read', async () => {
    answering('x'.repeat(2_000_000));
    expect(await rejection(read())).toMatchObject({ code: 'too_large', retryable: false });
  });

  test('a page without end is cut off', async () => {
    let sent = 0;
    handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const more = (): void => {
        while (!response.destroyed && response.write('<p>more</p>'.repeat(1000))) sent += 11_000;
        response.once('drain', more);
      };
      more();
    };
    expect(await rejection(read())).toMatchObject({ code: 'too_large' });
    expect(sent).toBeLessThan(20_000_000);
  });

  test.each([
    ['gzip', (zeros: Uint8Array) => gzipSync(zeros, { level: 1 })],
    ['br', (zeros: Uint8Array) => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('a small %s bomb is stopped where it passes the limit', async (coding, pack) => {
    const bomb = pack(new Uint8Array(150_000_000));
    expect(bomb.length).toBeLessThan(limits.maxBytes);
    answering(bomb, { 'content-encoding': coding });
    const before = process.memoryUsage().rss;
    expect(await rejection(read())).toMatchObject({ code: 'too_large' });
    expect(process.memoryUsage().rss - before).toBeLessThan(75_000_000);
  });

  test('a slow page is given up when its time is over', async () => {
    handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const drip = setInterval(() => response.write('<p>'), 20);
      response.on('close', () => clearInterval(drip));
    };
    const started = performance.now();
    expect(await rejection(read('/', { timeoutMs: 200 }))).toMatchObject({ code: 'timeout', retryable: true });
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  test('silence too', async () => {
    handler = () => {};
    expect(await rejection(read('/', { timeoutMs: 100 }))).toMatchObject({ code: 'timeout' });
  });

  test.each([
    ['damaged gzip', Buffer.from('this is no gzip'), { 'content-encoding': 'gzip' }],
    ['gzip that ends early', gzipSync(page(sentence.repeat(50))).subarray(0, 60), { 'content-encoding': 'gzip' }],
    ['a coding nobody asked for', Buffer.from('x'), { 'content-encoding': 'compress' }],
  ])('%s is a bad response', async (_, body, headers) => {
    answering(body, headers);
    expect(await rejection(read())).toMatchObject({ code: 'bad_response' });
  });

  test('the caller’s own reason comes out once it gave up', async () => {
    handler = () => {};
    const stop = new AbortController();
    const reading = fetcher.fetch(server.url, limits, stop.signal);
    const reason = new Error('cancelled');
    setTimeout(() => stop.abort(reason), 20);
    expect(await rejection(reading)).toBe(reason);
  });
});

describe('answers other than a page', () => {
  test.each([
    [404, 'not_found', false],
    [410, 'not_found', false],
    [401, 'refused', false],
    [403, 'refused', false],
    [451, 'refused', false],
    [429, 'rate_limited', true],
    [500, 'unavailable', true],
    [503, 'unavailable', true],
    [204, 'bad_response', false],
    [304, 'bad_response', false],
  ])('status %d is %s', async (status, code, retryable) => {
    answering('', { 'retry-after': '3' }, status);
    const error = await rejection(read());
    expect(error).toBeInstanceOf(PageError);
    expect(error).toMatchObject({ code, retryable });
    if (retryable) expect(error).toMatchObject({ retryAfterMs: 3000 });
  });

  test('a connection that is cut is an outage', async () => {
    handler = (_, response) => void response.destroy();
    expect(await rejection(read())).toMatchObject({ code: 'unavailable', retryable: true });
  });
});

describe('redirects', () => {
  test('are followed to where the page is', async () => {
    handler = ({ path }, response) => {
      if (path === '/new/place')
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(`<p>${sentence}</p>`));
      else response.writeHead(path === '/old' ? 301 : 307, { location: path === '/old' ? '/new' : 'new/place' }).end();
    };
    expect((await read('/old')).url).toBe(`${server.url}/new/place`);
  });

  test('in a circle end', async () => {
    handler = ({ path }, response) => void response.writeHead(302, { location: path === '/a' ? '/b' : '/a' }).end();
    expect(await rejection(read('/a'))).toMatchObject({ code: 'too_many_redirects' });
    expect(server.requests).toHaveLength(limits.maxRedirects + 1);
  });

  test.each([
    ['ftp://example.com/', 'blocked_url'],
    ['file:///etc/passwd', 'blocked_url'],
    ['http://user:secret@127.0.0.1/', 'blocked_url'],
    ['http://127.0.0.1:22/', 'blocked_url'],
    ['http://evil.example/', 'blocked_url'],
    ['http://[', 'blocked_url'],
  ])('to %s are not followed', async (location, code) => {
    handler = (_, response) => void response.writeHead(302, { location }).end();
    const domains = { allowed: ['127.0.0.1'], blocked: [] };
    expect(await rejection(read('/', { domains }))).toMatchObject({ code });
  });
});

describe('robots rules', () => {
  const withRobots = (robots: string, status = 200) => {
    handler = ({ path }, response) => {
      if (path === '/robots.txt') response.writeHead(status, { 'content-type': 'text/plain' }).end(robots);
      else response.writeHead(200, { 'content-type': 'text/html' }).end(page(`<p>${sentence}</p>`));
    };
    return createPageFetcher({ parser, ports: [server.port], allowedAddresses: [`127.0.0.1:${server.port}`] });
  };
  const polite = { ...limits, robots: true };

  test.each([
    { name: 'allow what they do not name', robots: 'User-agent: *\nDisallow: /private', path: '/open', allowed: true },
    { name: 'forbid what they name', robots: 'User-agent: *\nDisallow: /private', path: '/private/a', allowed: false },
    {
      name: 'may address this program',
      robots: 'User-agent: plumbline\nDisallow: /\n\nUser-agent: *\nAllow: /',
      path: '/a',
      allowed: false,
    },
    { name: 'may address others', robots: 'User-agent: otherbot\nDisallow: /', path: '/a', allowed: true },
    { name: 'are none where there is no file', robots: 'Disallow: /', status: 404, path: '/a', allowed: true },
    { name: 'forbid all while the file cannot be had', robots: '', status: 503, path: '/a', allowed: false },
  ])('$name', async ({ robots, status = 200, path, allowed }) => {
    const own = withRobots(robots, status);
    const outcome = await rejection(own.fetch(server.url + path, polite, signal));
    if (allowed) expect(outcome).toBe('no failure');
    else expect(outcome).toMatchObject({ code: 'blocked_by_robots', retryable: status === 503 });
    expect(server.requests.some((request) => request.path === path)).toBe(allowed);
    await own.close();
  });

  test('are asked once for several pages of a site', async () => {
    const own = withRobots('User-agent: *\nDisallow: /private');
    await own.fetch(`${server.url}/a`, polite, signal);
    await own.fetch(`${server.url}/b`, polite, signal);
    expect(server.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/a', '/b']);
    await own.close();
  });
});

describe('what a search sent of a page', () => {
  const result = { url: 'https://example.com/fees', title: 'Fees', score: 1, publishedAt: null };

  test('is read without fetching it', async () => {
    const found = await fetcher.read(
      { ...result, content: 'short', rawContent: '| Plan | Price |\n|--|--|\n| Gold | 55 |\n\n<p hidden>MAGNOLIA</p>' },
      signal,
    );
    expect(found).toMatchObject({ url: result.url, title: 'Fees', document: { text: 'Plan | Price\nGold | 55' } });
    expect((await fetcher.read({ ...result, content: 'The fee is 12.', rawContent: null }, signal)).document.text).toBe(
      'The fee is 12.',
    );
  });

  test('is unreadable where it sent nothing', async () => {
    expect(await rejection(fetcher.read({ ...result, content: '', rawContent: null }, signal))).toMatchObject({
      code: 'unreadable',
    });
  });
});
