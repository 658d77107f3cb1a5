import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { decomposeQuestion } from '../../domain/rules/decompose.ts';
import { rewriteQuery } from '../../domain/rules/rewrite.ts';
import { outgoingQuery } from '../../domain/web/outgoing-query.ts';
import { passesLuhn, passesMod97 } from '../../domain/web/privacy/checksums.ts';

interface Rules {
  patterns?: string[];
  privateNames?: string[];
  privateSpans?: string[];
}

const outgoing = (query: string, asked: string, rules: Rules = {}) =>
  outgoingQuery(query, { patterns: [], privateNames: [], privateSpans: [], identifiers: [], ...rules, asked });

/** What the rules make of a question: the rewritten query, and the simpler questions. */
function rewritten(question: string): string[] {
  const analysis = analyseQuestion(question);
  const input = { question, analysis, missing: analysis.aspects, neighbours: [], tried: [] };
  const query = rewriteQuery(input, { minWords: 6, maxWords: 14 });
  const simpler = decomposeQuestion(input, 3).map((sub) => sub.query);
  return [...(query === null ? [] : [query]), ...simpler];
}

describe('a query that was rewritten', () => {
  test('holds nothing of an address and a card that the asker wrote', () => {
    const question =
      'My e-mail is jana.novak@ostrava-mail.example and my card is 4111 1111 1111 1111, what is the exchange rate of the Mongolian tugrik?';
    const raw = '4111 1111 mail jana novak ostrava example card exchange rate mongolian tugrik';
    const { query, removed } = outgoing(raw, question);
    expect(query).toBe('mail card exchange rate mongolian tugrik');
    expect(new Set(removed.map(({ kind }) => kind))).toEqual(new Set(['card', 'email']));
    for (const made of rewritten(question))
      expect(outgoing(made, question).query ?? '').not.toMatch(/4111|1111|jana|novak|ostrava|example/i);
  });

  test('holds nothing of a claim and a name that the tenant holds private', () => {
    const question = 'Why was claim CL-88412 of Tilda Marsh (tilda@example.invalid) invalid?';
    const rules = { patterns: ['CL-\\d+'], privateNames: ['Tilda Marsh'] };
    expect(outgoing('claim cl 88412 example invalid', question, rules).query).toBe('claim invalid');
    for (const made of rewritten(question))
      expect(outgoing(made, question, rules).query ?? '').not.toMatch(/\bcl\b|88412|tilda|marsh|example/i);
  });

  test.each([
    ['split anywhere', '4 11111 111 111 1111 1 rate', 'rate'],
    ['with hyphens', 'ja-na_no.vak rate', 'rate'],
    ['without separators', 'janaostrava rate', 'rate'],
    ['in another order', 'novak-jana rate', 'rate'],
    ['within another word', 'mrnovaks rate', 'rate'],
    ['with accents', 'Nóvák Jaña rate', 'rate'],
    ['in full-width digits', '４１１１ rate', 'rate'],
    ['with its own words', 'exchange mail rate of the card', 'exchange mail rate of the card'],
    ['with new words', 'currency conversion tögrög MNT 2026', 'currency conversion tögrög MNT 2026'],
  ])('is read %s', (_, query, left) => {
    const question =
      'My mail is jana.novak@ostrava.example and my card is 4111 1111 1111 1111, what is the exchange rate?';
    expect(outgoing(query, question).query).toBe(left);
  });

  test('holds no sign by sign of a name in a script without spaces, and what else the question says in it', () => {
    const question = '田中太郎さんの請求はなぜ拒否されましたか';
    const { query } = outgoing('田中 太郎 請求 拒否 理由', question, { privateNames: ['田中太郎'] });
    expect(query).toBe('請求 拒否 理由');
  });

  test('takes no word from a private passage that the question repeats, nor from its wording with other endings', () => {
    const words = 'the Bremen depot closes for good in March because of the flood damage';
    const privateSpans = [`The board has decided that ${words}.`];
    const question = `Is it true that ${words}, and who pays the insurer?`;
    expect(outgoing('Bremen depots closing flood-damage who pays insurer', question, { privateSpans }).query).toBe(
      'who pays insurer',
    );
    const own = 'When is the depot shut, and who insures it?';
    expect(outgoing('depots shut insurance', own, { privateSpans }).query).toBe('depots shut insurance');
    expect(outgoing('depots shut bremenflood', own, { privateSpans }).query).toBe('depots shut');
  });
});

describe('whatever a rewriter does', () => {
  const letters = (min: number, max: number) => fc.stringMatching(new RegExp(`^[a-z]{${min},${max}}$`));
  const capital = (word: string) => (word[0] ?? '').toUpperCase() + word.slice(1);
  const grouped = (text: string) => text.replace(/.{4}(?=.)/g, '$& ');
  const email = fc.tuple(letters(3, 8), letters(3, 8), letters(4, 9)).map(([a, b, c]) => `${a}.${b}@${c}.example`);
  const card = fc
    .stringMatching(/^[3-6][0-9]{14}$/)
    .map((base) => grouped(base + [...'0123456789'].find((digit) => passesLuhn(base + digit))));
  const iban = fc.stringMatching(/^[A-Z]{2}[0-9]{16}$/).map((base) => {
    const [country, body] = [base.slice(0, 2), base.slice(2)];
    const checks = Array.from({ length: 97 }, (_, n) => String(n + 2).padStart(2, '0'));
    return grouped(country + checks.find((n) => passesMod97(country + n + body)) + body);
  });
  const phone = fc.stringMatching(/^\+4[1-9] [1-9][0-9] [0-9]{4} [0-9]{4}$/);
  const claim = fc.stringMatching(/^CL-[0-9]{5}$/);
  const name = fc.tuple(letters(3, 9), letters(3, 9)).map((parts) => parts.map(capital).join(' '));

  const about = fc.constantFrom(
    'what is the exchange rate of the tugrik?',
    'which fee does the harbour charge?',
    'why was it refused?',
  );
  const before = fc.constantFrom('Please note', 'This is about', 'For', 'My own one is');
  const asked = (value: fc.Arbitrary<string>) => fc.record({ value, before, about });

  /** Splits, joins, reorders and glues what it was given. */
  const rewriter = fc.record({
    cut: fc.integer({ min: 1, max: 6 }),
    glue: fc.constantFrom(' ', '-', '', '/', ' . ', '_'),
    reversed: fc.boolean(),
    upper: fc.boolean(),
    front: fc.constantFrom('', 'x', 'no'),
  });
  type Rewriting = { cut: number; glue: string; reversed: boolean; upper: boolean; front: string };
  function adversarial(value: string, { cut, glue, reversed, upper, front }: Rewriting): string {
    const chunks = value.split(/[^\p{L}\p{N}]+/u).flatMap((word) => word.match(new RegExp(`.{1,${cut}}`, 'gu')) ?? []);
    const ordered = reversed ? chunks.toReversed() : chunks;
    const text = `${front}${ordered.join(glue)}`;
    return upper ? text.toUpperCase() : text;
  }

  const compact = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  /** Three signs of the value as a word, four in a word, or a word of it. */
  function leaks(query: string | null, { value, own }: { value: string; own: string }): string[] {
    const [whole, theirs, allowed] = [compact(value), wordsOf(value), new Set(wordsOf(own))];
    return wordsOf(query ?? '')
      .filter((word) => !allowed.has(word))
      .filter((word) => {
        const grams = Array.from({ length: word.length }, (_, at) => word.slice(at, at + 4)).filter(
          (g) => g.length === 4,
        );
        return (
          theirs.includes(word) || (word.length >= 3 && whole.includes(word)) || grams.some((g) => whole.includes(g))
        );
      });
  }

  test.each([
    ['e-mail addresses', email],
    ['cards', card],
    ['IBANs', iban],
    ['phone numbers', phone],
    ['ids of the tenant', claim],
    ['private names', name],
  ])('no fragment of %s leaves', (kind, values) => {
    fc.assert(
      fc.property(asked(values), rewriter, ({ value, before: lead, about: rest }, how) => {
        const question = `${lead} ${value}, ${rest}`;
        const own = `${lead} ${rest}`;
        const rules = { patterns: ['CL-\\d+'], privateNames: kind === 'private names' ? [value] : [] };
        const queries = [
          ...rewritten(question),
          `${adversarial(value, how)} ${rest}`,
          `${rest} ${adversarial(value, how)}`,
        ];
        for (const query of queries) {
          const { query: sent, removed } = outgoing(query, question, rules);
          expect({ sent, leaks: leaks(sent, { value, own }) }).toEqual({ sent, leaks: [] });
          if (leaks(query, { value, own }).length > 0) expect(removed.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('what the asker says elsewhere is not lost', () => {
    fc.assert(
      fc.property(asked(fc.oneof(email, card, iban, phone)), ({ value, before: lead, about: rest }) => {
        const kept = wordsOf(rest).filter((word) => word.length >= 3);
        const { query } = outgoing(kept.join(' '), `${lead} ${value}, ${rest}`);
        expect(query).toBe(kept.join(' '));
      }),
    );
  });
});
