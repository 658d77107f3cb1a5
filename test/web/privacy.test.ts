import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { words } from '../../domain/text/words.ts';
import { passesLuhn, passesMod97 } from '../../domain/web/privacy/checksums.ts';
import { privacyCheck, type PrivacyRules } from '../../domain/web/privacy/check.ts';
import { privatePatternSchema } from '../../domain/web/schema.ts';

const open: PrivacyRules = { patterns: [], privateNames: [], privateSpans: [] };
const check = (query: string, rules: Partial<PrivacyRules> = {}) => privacyCheck(query, { ...open, ...rules });

describe('the privacy check', () => {
  test("takes names, addresses and claims out of a customer's question", () => {
    const rules = { patterns: ['CL-\\d{5}'], privateNames: ['Tilda Marsh'] };
    expect(check("Why was Tilda Marsh's claim CL-88412 (tilda@example.invalid) refused?", rules)).toEqual({
      query: 'Why was claim refused?',
      removed: [
        { kind: 'private_name', characters: 13 },
        { kind: 'tenant_pattern', characters: 8 },
        { kind: 'email', characters: 21 },
      ],
    });
  });

  test.each([
    ['email', 'tilda.marsh+x@mail.example.invalid'],
    ['email', 'tilda [at] example [dot] invalid'],
    ['email', 'tilda%40example.invalid'],
    ['email', 'büro@bücher.example'],
    ['phone', '+44 20 7946 0958'],
    ['phone', '+49 (0)30 123456-78'],
    ['phone', '0044 20 7946 0958'],
    ['phone', '020 7946 0958'],
    ['phone', '(030) 123456'],
    ['phone', '(555) 010-4477'],
    ['phone', '555-010-4477'],
    ['card', '4111 1111 1111 1111'],
    ['card', '4111-1111-1111-1111'],
    ['card', '4111111111111111'],
    ['card', '３７８２８２２４６３１０００５'],
    ['card', '٤١١١ ١١١١ ١١١١ ١١١١'],
    ['iban', 'DE89 3704 0044 0532 0130 00'],
    ['iban', 'gb82west12345698765432'],
    ['iban', 'NO93 8601 1117 947'],
    ['account_number', '123456789'],
    ['account_number', '4111 1111 1111 1112'],
    ['account_number', '678-05-1120'],
    ['secret', 'sk-proj-abcdefghijklmnop'],
    ['secret', 'AKIAIOSFODNN7EXAMPLE'],
    ['secret', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['secret', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_ghi'],
    ['secret', '9f86d081884c7d659a2feaa0c55ad015'],
    ['secret', '550e8400-e29b-41d4-a716-446655440000'],
  ])('finds %s: %s', (kind, value) => {
    expect(check(`Does the harbour refuse ${value} for the motor`)).toEqual({
      query: 'Does the harbour refuse for the motor',
      removed: [{ kind, characters: value.length }],
    });
  });

  test.each([
    ['Konto 1234567 gesperrt warum', 'Konto gesperrt warum'],
    ['customer no. 12345 refund rules', 'customer no. refund rules'],
    ['call me on 5550142 about fees', 'call me on about fees'],
    ['login password: hunter2 fails', 'login fails'],
    ['curl -H "Authorization: Bearer abcdef.123456" fails', 'curl -H fails'],
    ['open https://tilda:hunter2@example.invalid/x now', 'open now'],
    ['-----BEGIN PRIVATE KEY----- MIIE abc -----END PRIVATE KEY----- invalid format', 'invalid format'],
  ])('reads the words before a value: %s', (query, left) => {
    expect(check(query).query).toBe(left);
  });

  test.each([
    'What does E-0417/b mean for MS on rail X4?',
    'meeting on 05/11/2024, 01.02.2024 and 2024-11-05 12:30',
    'a budget of 1 000 000 000 crowns or 2,460 kg or 12.5 %',
    'Windows 10.0.19045.4291 on host 192.168.100.200',
    'Is a password required for ISO 9001:2015?',
    'tax 2024-2025 rates for article 17',
    'pension reforms 2021 2022 2023 2024',
    'How many steps at 5 @ 10 EUR',
    'What is the token limit of INV-1042-AB?',
  ])('leaves alone what is nobody’s: %s', (query) => {
    expect(check(query)).toEqual({ query, removed: [] });
  });

  test.each([
    ['Tilda Marsh', 'tilda marsh refund'],
    ['Tilda Marsh', 'refund for MARSH, Tilda'],
    ['Tilda Marsh', 'refund Tilda J. Marsh'],
    ['Tilda Marsh', "Marsh's refund"],
    ['Jürgen Groß', 'refund Juergen Gross'],
    ['Juergen Gross', 'refund JÜRGEN GROẞ'],
    ['Zoë Ørsted', 'refund zoe orsted'],
    ["Sinéad O'Brien", "sinead o'brien refund"],
    ['田中太郎', '田中 太郎 refund'],
    ['Will May', 'Will May refund'],
  ])('takes the private name %s out of: %s', (name, query) => {
    expect(check(query, { privateNames: [name] }).query).toBe(
      'refund' + (query.startsWith('refund for') ? ' for' : ''),
    );
  });

  test('does not take a function word for a name by itself', () => {
    const query = 'Will the fee rise in the marshes';
    expect(check(query, { privateNames: ['Will Marsh'] }).query).toBe(query);
  });

  test('takes out five words of a private text, whatever their case and punctuation, and leaves four', () => {
    const privateSpans = ['The motor shutter on rail X4 is jammed when the red lamp blinks twice.'];
    expect(check('manual: MOTOR, shutter on "rail X4" repair', { privateSpans }).query).toBe('manual: repair');
    expect(check('motor shutter on rail repair', { privateSpans }).removed).toEqual([]);
    expect(
      check('保守の手順 設備点検は毎月第二火曜日に行う', { privateSpans: ['設備点検は毎月第二火曜日に行う。'] })
        .removed,
    ).toHaveLength(1);
  });

  test('what is left must ask something', () => {
    expect(check('tilda@example.invalid?').query).toBeNull();
    expect(check('thanks, it is +44 20 7946 0958').query).not.toBeNull();
  });

  test('looks again at what was apart and now stands together', () => {
    expect(check('tilda XX@ XX example.invalid fee', { patterns: ['XX'] }).query).not.toMatch(/@ ?example/);
  });

  test('stays quick on long texts without a space', () => {
    const started = performance.now();
    for (const sign of ['a', '1', '@', '-', 'a1', '0 ', '('])
      check(sign.repeat(8000 / sign.length), { privateNames: ['a'] });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('for any text', () => {
  const digits = fc.stringMatching(/^[0-9]{12,18}$/);
  const withLuhn = digits.map((base) => base + [...'0123456789'].find((digit) => passesLuhn(base + digit)));
  const withMod97 = fc.stringMatching(/^[A-Z]{2}[A-Z0-9]{11,30}$/).map((base) => {
    const body = base.slice(2);
    const country = base.slice(0, 2);
    const check = Array.from({ length: 97 }, (_, n) => String(n + 2).padStart(2, '0')).find((n) =>
      passesMod97(country + n + body),
    );
    return country + check + body;
  });
  const email = fc.emailAddress();
  const groups = (text: string, size: number): string => text.replace(new RegExp(`.{${size}}(?=.)`, 'g'), '$& ');
  const around = fc.constantFrom('the fee of the harbour', 'why is', 'Rate?', '', 'für die Prüfung', '設備点検');

  test.each([
    ['card numbers', withLuhn.map((value) => groups(value, 4))],
    ['card numbers in one', withLuhn],
    ['IBANs', withMod97.map((value) => groups(value, 4))],
    ['e-mail addresses', email],
  ])('no %s leave', (_, values) => {
    fc.assert(
      fc.property(around, values, around, (before, value, after) => {
        const { query, removed } = check(`${before} ${value} ${after}`);
        expect(removed.length).toBeGreaterThan(0);
        expect((query ?? '').toLowerCase()).not.toContain(value.toLowerCase());
      }),
    );
  });

  test('no five words in a row of a private text leave', () => {
    const word = fc.constantFrom(
      'motor',
      'shutter',
      'rail',
      'jammed',
      'lamp',
      'fee',
      'of',
      'the',
      '12',
      'kg',
      '設備点検は',
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 30 }),
        fc.array(word, { minLength: 5, maxLength: 20 }),
        (asked, secret) => {
          const { query } = check(asked.join(' '), { privateSpans: [secret.join(' ')] });
          const [left, hidden] = [words(query ?? ''), words(secret.join(' '))].map((list) => ` ${list.join(' ')} `);
          const all = left?.trim().split(' ') ?? [];
          for (let n = 0; n + 5 <= all.length; n += 1)
            expect(hidden).not.toContain(` ${all.slice(n, n + 5).join(' ')} `);
        },
      ),
    );
  });

  test('a second check removes nothing', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '@',
        'tilda',
        '4111 1111',
        '1111 1111',
        '+44 20',
        '7946 0958',
        '.invalid',
        'Marsh',
        '(',
        ')',
        'XX',
        'password:',
        'DE89 3704 0044',
        '0532 0130 00',
      ),
      email,
      withLuhn,
    );
    const rules = {
      patterns: ['XX', '\\s\\d\\s'],
      privateNames: ['Tilda Marsh'],
      privateSpans: ['one two three four five six'],
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { query } = check(pieces.join(' '), rules);
        if (query !== null) expect(check(query, rules).removed).toEqual([]);
      }),
    );
  });
});

describe("a tenant's pattern", () => {
  test.each(['CL-\\d{5}', '(?<year>\\d{4})-KD', '\\p{Lu}{3}\\d'])('may be %s', (source) => {
    expect(privatePatternSchema.safeParse(source).success).toBe(true);
  });

  test.each(['(', '[a-', '', 'x*', '\\d{2,1}', 'a'.repeat(201)])('may not be %s', (source) => {
    expect(privatePatternSchema.safeParse(source).success).toBe(false);
  });
});
