import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadTokenCounter, type CountTokens } from '../../adapters/models/tokens/token-counter.ts';

const corpus = join(import.meta.dirname, '../../examples/corpus');
const documents = readdirSync(corpus)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => [name, readFileSync(join(corpus, name), 'utf8')] as const);

let openai: CountTokens;
let approximate: CountTokens;
beforeAll(async () => {
  openai = await loadTokenCounter('openai');
  approximate = await loadTokenCounter('anthropic');
});

describe('tokens of OpenAI', () => {
  // As tiktoken's o200k_base counts.
  test.each([
    ['', 0],
    ['hello world', 2],
    ['The fee is 12 % of the deposit.', 10],
    ['設備点検は毎月第二火曜日に行う。', 13],
    ['INV-1042-AB, E-0417/b', 12],
  ])('of %j are %d', (text, tokens) => expect(openai(text)).toBe(tokens));

  test('count what looks like a control token as text, and do not fail on it', () => {
    expect(openai('before <|endoftext|> after')).toBeGreaterThan(4);
  });

  test('count half of a character without failing', () => expect(openai('x \ud800 y')).toBeGreaterThan(1));
});

describe('the approximation for the others', () => {
  test.each(documents)('counts %s as more than OpenAI does, but not as twice that', (_name, text) => {
    const ratio = approximate(text) / openai(text);
    expect(ratio).toBeGreaterThan(1.3);
    expect(ratio).toBeLessThan(2);
  });

  // The counts of Anthropic's last published tokenizer (@anthropic-ai/tokenizer 0.0.4).
  test.each([
    ['設備点検は毎月第二火曜日に行う。', 20],
    ['Der Überfluss an Würde – die Rücknahmegebühr beträgt zwölf Prozent.', 26],
    ['Привет, мир. Плата за просрочку составляет двенадцать процентов.', 33],
    ['INV-1042-AB, E-0417/b, 0x7f3a9c, SKU 88-12-0034', 31],
    ['한국어 문장입니다. 연체료는 보증금의 십이 퍼센트입니다.', 35],
    ['ค่าธรรมเนียมล่าช้าคือร้อยละสิบสองของเงินมัดจำ', 79],
  ])('does not count fewer tokens of %j than the published tokenizer', (text, published) => {
    expect(approximate(text)).toBeGreaterThanOrEqual(published);
  });

  test('counts every text whole: of parts it counts at least as much as of one of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ maxLength: 200 }), (a, b) => {
        expect(approximate(`${a}\n${b}`)).toBeGreaterThanOrEqual(Math.max(approximate(a), approximate(b)));
      }),
    );
  });

  test('is used for compatible servers too', async () => {
    const compatible = await loadTokenCounter('openai-compatible');
    expect(compatible('The fee is 12 %.')).toBe(approximate('The fee is 12 %.'));
  });
});
