import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressesIn, embeddedIn } from '../../../domain/text/links.ts';

describe('addresses in a text', () => {
  test.each([
    ['a bare link', 'See https://docs.example.com/a?b=1.', ['docs.example.com/a?b=1']],
    ['a link in parentheses', '(http://docs.example.com/a)', ['docs.example.com/a']],
    ['without a scheme', 'at www.example.com, or docs.example.com/x', ['docs.example.com/x', 'example.com']],
    ['a host by itself', 'images.example.invalid?q=fee', ['images.example.invalid?q=fee']],
    ['in capitals', 'GO TO EXAMPLE.COM/X', ['example.com/x']],
    ['without the scheme of the page', 'src=//cdn.example.com/p.png', ['cdn.example.com/p.png']],
    ['a markdown link', '[here](https://a.example/x "t")', ['a.example/x']],
    ['a markdown link within the site', '[here](/admin?x=1)', ['/admin?x=1']],
    ['an e-mail address', 'Write to Help.Desk@example.com!', ['help.desk@example.com']],
    ['a mail link', 'mailto:help@example.com?subject=x', ['help@example.com?subject=x', 'help@example.com']],
    [
      'other schemes',
      'data:text/html;base64,AA== and javascript:alert(1)',
      ['data:text/html;base64,aa==', 'javascript:alert(1'],
    ],
    ['full-width letters', 'ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ', ['example.com']],
    ['with unseen characters', 'https://exam\u200bple.com', ['example.com']],
  ])('%s', (_, text, expected) => {
    expect(new Set(addressesIn(text))).toEqual(new Set(expected));
  });

  test.each([
    'The fee is 12.5 % of 1.250,00 EUR, e.g. on 3.4.2024 at 10:30.',
    'Two sentences without a space.The second one.',
    'U.S. law, i.e. the act of 1999, No. 5, p. 3 ff.',
    'Version 2.10.3 of E-0417/b and/or X4 (10 km/h).',
    'Ratio 3:4, and "quoted": yes.',
    '設備点検は毎月第二火曜日に行う。型番はＡＢ１２である。',
  ])('none: %s', (text) => {
    expect(addressesIn(text)).toEqual([]);
  });

  test('a link is found whatever stands around it', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        fc.constantFrom('"', '(', '<', ' ', '\n', '。'),
        (url, before) => {
          expect(addressesIn(`See${before}${url} now`).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

test('long texts without end are read in no time', () => {
  const started = performance.now();
  for (const part of ['a', 'a.', 'a-', 'a@', '//a', '[', '![', '<a', '](', 'a:', 'www.', 'A.']) {
    addressesIn(part.repeat(20_000));
    embeddedIn(part.repeat(20_000));
  }
  expect(performance.now() - started).toBeLessThan(3000);
});

describe('images and tags in a text', () => {
  test.each([
    ['![x](https://a.example/p.png)', ['![x](https://a.example/p.png)']],
    ['![x][ref] and ![y]', ['![x][ref]', '![y]']],
    ['<img src=x onerror=y> and </document-1>', ['<img src=x onerror=y>', '</document-1>']],
    ['<script', ['<script']],
  ])('%s', (text, expected) => {
    expect(embeddedIn(text)).toEqual(expected);
  });

  test.each(['a < b and c > d', 'Great! [see] (below)', 'x <5 %'])('none: %s', (text) => {
    expect(embeddedIn(text)).toEqual([]);
  });
});
