import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPageFetcher } from '../../adapters/web/harvest/index.ts';
import { dial } from '../../adapters/web/browser/dial.ts';
import { createAddressGuard, type Resolve } from '../../adapters/web/harvest/address-guard.ts';
import { isPublicAddress } from '../../adapters/web/harvest/public-address.ts';
import type { PageFetcher } from '../../adapters/web/port.ts';
import { limits, oneParser } from './support/page-fetching.ts';
import { privateAddresses as addresses, strangersResolver as resolve } from './support/private-addresses.ts';
import { rejection, startWebServer, type WebServer } from './support/web-server.ts';

const parser = oneParser();
const signal = new AbortController().signal;
const quick = { ...limits, timeoutMs: 2_000 };

let inside: WebServer;
let fetcher: PageFetcher;

beforeAll(async () => {
  inside = await startWebServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('inside'),
  );
  fetcher = createPageFetcher({ parser, resolve, ports: [inside.port] });
});
afterAll(async () => {
  await fetcher.close();
  await inside.close();
  await parser.close();
});

describe('a private address', () => {
  test('the list is long enough', () => expect(new Set(addresses).size).toBeGreaterThanOrEqual(30));

  test.each(addresses)('%s is not reached', async (address) => {
    const url = address.replace('PORT', String(inside.port));
    expect(await rejection(fetcher.fetch(url, quick, signal))).toMatchObject({
      code: 'blocked_address',
      retryable: false,
    });
    expect(inside.connections()).toBe(0);
  });

  test.each(addresses.filter((address) => /^[ -~]*$/.test(address)))(
    '%s is not reached by a redirect',
    async (address) => {
      const location = address.replace('PORT', String(inside.port));
      const outside = await startWebServer((_, response) => void response.writeHead(302, { location }).end());
      const allowedAddresses = [`127.0.0.1:${outside.port}`];
      const own = createPageFetcher({ parser, resolve, ports: [inside.port, outside.port], allowedAddresses });
      expect(await rejection(own.fetch(outside.url, quick, signal))).toMatchObject({ code: 'blocked_address' });
      expect(outside.requests).toHaveLength(1);
      expect(inside.connections()).toBe(0);
      await own.close();
      await outside.close();
    },
  );

  test('a name without any is an outage', async () => {
    const url = `http://nowhere.example:${inside.port}/`;
    expect(await rejection(fetcher.fetch(url, quick, signal))).toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('is not asked for its robots rules either', async () => {
    const url = `http://private.example:${inside.port}/`;
    expect(await rejection(fetcher.fetch(url, { ...quick, robots: true }, signal))).toMatchObject({
      code: 'blocked_address',
    });
    expect(inside.connections()).toBe(0);
  });

  test('is reached where an operator allows that address and port, and no other', async () => {
    const own = createPageFetcher({
      parser,
      resolve,
      ports: [inside.port],
      allowedAddresses: [`127.0.0.1:${inside.port}`],
    });
    const page = await own.fetch(`http://private.example:${inside.port}/`, quick, signal);
    expect(page.document.text).toBe('inside');
    expect(await rejection(own.fetch(`http://127.0.0.2:${inside.port}/`, quick, signal))).toMatchObject({
      code: 'blocked_address',
    });
    await own.close();
  });
});

describe('the port of an allowed address', () => {
  const anywhere: Resolve = (host) =>
    Promise.resolve([{ address: host === 'public.example' ? '93.184.215.14' : '127.0.0.1', family: 4 }]);

  test('is none that public hosts are reached by, by HTTP or by a browser', async () => {
    const ports = [80, 443, inside.port];
    const allowedAddresses = [`127.0.0.1:${inside.port}`];
    const own = createPageFetcher({ parser, resolve: anywhere, ports, allowedAddresses });
    const refusal = { code: 'blocked_address', retryable: false };
    for (const host of ['public.example', '93.184.215.14'])
      expect(await rejection(own.fetch(`http://${host}:${inside.port}/`, quick, signal))).toMatchObject(refusal);
    expect((await own.fetch(`http://intranet.example:${inside.port}/`, quick, signal)).document.text).toBe('inside');
    await own.close();
    const guard = createAddressGuard({ resolve: anywhere, allowedAddresses });
    const byBrowser = dial('public.example', inside.port, { guard, ports, proxy: null });
    expect(await rejection(byBrowser)).toMatchObject(refusal);
    (await dial('intranet.example', inside.port, { guard, ports, proxy: null })).destroy();
  });
});

describe('a name whose addresses change', () => {
  /** Says what is public first, what is private from then on. */
  const turncoat = (first: string, then: string) => {
    let asked = 0;
    const answer: Resolve = async () => [{ address: (asked += 1) === 1 ? first : then, family: 4 }];
    return { answer, asked: () => asked };
  };

  test('is connected to at the address that was checked', async () => {
    const outside = await startWebServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('outside'),
      { host: '127.0.0.3' },
    );
    const trap = await startTrap(outside.port);
    const { answer, asked } = turncoat('127.0.0.3', '127.0.0.1');
    const own = createPageFetcher({
      parser,
      resolve: answer,
      ports: [outside.port],
      allowedAddresses: [`127.0.0.3:${outside.port}`],
    });
    const page = await own.fetch(`http://rebinding.example:${outside.port}/`, quick, signal);
    expect([page.document.text, asked()]).toEqual(['outside', 1]);
    await own.close();
    const next = createPageFetcher({
      parser,
      resolve: answer,
      ports: [outside.port],
      allowedAddresses: [`127.0.0.3:${outside.port}`],
    });
    expect(await rejection(next.fetch(`http://rebinding.example:${outside.port}/`, quick, signal))).toMatchObject({
      code: 'blocked_address',
    });
    expect(trap.connections()).toBe(0);
    await next.close();
    await trap.close();
    await outside.close();
  });

  async function startTrap(port: number): Promise<WebServer> {
    return startWebServer((_, response) => void response.end('trap'), { port });
  }
});

describe('a public address', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.215.14',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each(['', 'example.com', '127.0.0.1/8', '::1%lo', '1.2.3', '0x7f.1', '256.1.1.1'])('%j is none', (address) =>
    expect(isPublicAddress(address)).toBe(false),
  );

  test('never hides a private one, in whatever form of IPv6', () => {
    const privateV4 = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constantFrom(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
    );
    fc.assert(
      fc.property(privateV4, (bytes) => {
        const [a = '', b = ''] = [bytes.slice(0, 2), bytes.slice(2)].map((pair) => Buffer.from(pair).toString('hex'));
        const dotted = bytes.join('.');
        const forms = [
          dotted,
          `::ffff:${dotted}`,
          `::${a}:${b}`,
          `::ffff:0:${a}:${b}`,
          `64:ff9b::${a}:${b}`,
          `2002:${a}:${b}::1`,
        ];
        expect(forms.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });
});
