import { describe, expect, test } from '@jest/globals';
import { parseBytes } from '../../adapters/parsers/parse-bytes.ts';
import { linesOf } from '../parsers/support/parse.ts';
import { limits } from '../parsers/support/limits.ts';

const sentence = 'The deposit is 200 marks and is given back within thirty days after the key was returned. ';
const prose = `<p>${sentence.repeat(3)}</p><p>${sentence.repeat(2)}</p>`;
const menu = `<div><ul>${Array.from({ length: 25 }, (_, n) => `<li><a href="/${n}">Menu entry ${n}</a></li>`).join('')}</ul></div>`;

async function lines(body: string, article = true): Promise<string[]> {
  const bytes = Buffer.from(`<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`);
  return linesOf(await parseBytes(bytes, { name: 'page.html', limits, article })).map(([, text]) => text);
}

describe('a web page without landmarks', () => {
  test('is reduced to its main part', async () => {
    const page = `${menu}<div class="c"><h2>Rules</h2>${prose}<ul><li>one</li><li>two</li></ul></div><div class="f">All rights reserved</div>`;
    expect((await lines(page)).some((line) => /Menu|rights/.test(line))).toBe(false);
    expect(await lines(page)).toEqual(expect.arrayContaining(['Rules', 'one', 'two', sentence.repeat(2).trim()]));
    expect((await lines(page, false)).some((line) => line.startsWith('Menu'))).toBe(true);
  });

  test('keeps every table, if need be with all around it', async () => {
    const table = '<table><tr><td>Gold</td><td>55</td></tr></table>';
    const page = `${menu}<div>${prose}</div><div class="sidebar">${table}</div>`;
    expect((await lines(page)).join('\n')).toContain('Gold');
  });

  test('of many small parts stays whole', async () => {
    const parts = Array.from(
      { length: 12 },
      (_, n) => `<div class="card"><b>Plan ${n}</b><span>costs ${n}5 marks a month</span></div>`,
    );
    expect((await lines(parts.join(''))).join(' ')).toMatch(/Plan 0.*Plan 11/);
  });

  test('of one sentence is that sentence', async () => {
    expect(await lines('<p>The fee is 12 marks.</p>')).toEqual(['The fee is 12 marks.']);
  });

  test('brings back nothing that was hidden', async () => {
    const hidden =
      '<p style="color:#fff">MAGNOLIA</p><p style="position:absolute;left:-9999px">MAGNOLIA</p><!--MAGNOLIA--><noscript>MAGNOLIA</noscript>';
    expect((await lines(`${menu}<div>${prose}${hidden}</div>`)).join(' ')).not.toContain('MAGNOLIA');
  });
});
