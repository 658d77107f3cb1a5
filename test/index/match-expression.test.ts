import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bigramsIn, codesIn } from '../../adapters/index/question-terms.ts';
import { matchExpression } from '../../adapters/index/embedded/match-expression.ts';

const none = () => 0;
const hex = (code: string) => `0${Buffer.from(code).toString('hex')}0`;

describe('codes', () => {
  test.each([
    ['see E-0417/b.', ['e-0417/b']],
    ['Ｅ－０４１７／ｂ and E\u20110417/b', ['e-0417/b', 'e-0417/b']],
    ['INV-1042-AB, 0417; 417', ['inv-1042-ab', '0417', '417']],
    ['型番ＡＢ１２の保証', ['ab12']],
    ['well-known and/or words', []],
  ])('of %j', (text, expected) => {
    expect(codesIn(text)).toEqual(expected);
  });
});

test('bigrams overlap within a run and do not join two runs', () => {
  expect(bigramsIn('設備点検、ﾃﾞｰﾀ abc')).toEqual(['設備', '備点', '点検', 'デー', 'ータ']);
});

describe('the FTS5 expression', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE t USING fts5 (body, context, codes, grams, tokenize='porter unicode61')`);
  const matching = database.prepare('SELECT count(*) AS n FROM t WHERE t MATCH ?');
  afterAll(() => database.close());

  test('drops stop words and lone letters only if something else remains', () => {
    expect(matchExpression('What is the boiler?', [], none)).toBe('{body context} : "boiler"');
    expect(matchExpression('what is it', [], none)).toBe(
      '{body context} : "what" OR {body context} : "is" OR {body context} : "it"',
    );
    expect(matchExpression('?! 🙂', [], none)).toBeNull();
  });

  test('is understood by FTS5 whatever the question holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.array(fc.string({ unit: 'binary' })),
        (text, identifiers) => {
          const expression = matchExpression(text, identifiers, none);
          if (expression !== null) expect(matching.get(expression)).toEqual({ n: 0 });
        },
      ),
    );
    const syntax = fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      'NEAR(',
      '"',
      "'",
      '(',
      ')',
      '*',
      '^',
      ':',
      '{body}',
      '-',
      '+',
      'word',
      'E-1/b',
    );
    fc.assert(
      fc.property(fc.array(syntax), fc.constantFrom('', ' '), (parts, glue) => {
        const expression = matchExpression(parts.join(glue), [], none);
        if (expression !== null) expect(matching.get(expression)).toEqual({ n: 0 });
      }),
    );
  });

  test('of a very long question keeps named codes and the rarest words that occur at all', () => {
    const words = Array.from(
      { length: 500 },
      (_, n) => `word${'abcdefghij'[n % 10]}${'abcdefghij'[Math.floor(n / 10) % 10]}${'abcde'[Math.floor(n / 100)]}`,
    );
    const passages = new Map(words.map((word, n) => [`{body context} : "${word}"`, n % 50 === 0 ? 0 : n]));
    const expression = matchExpression(
      `${words.join(' ')} E-0417/b`,
      ['E-0417/b'],
      (term) => passages.get(term) ?? 900,
    );
    const terms = expression?.split(' OR ') ?? [];
    expect(terms).toHaveLength(64);
    expect(terms[0]).toBe(`codes : "${hex('e-0417/b')}"`);
    expect(terms.slice(1)).toEqual(
      [...passages]
        .filter(([, n]) => n > 0)
        .sort(([, a], [, b]) => a - b)
        .slice(0, 63)
        .map(([term]) => term),
    );
  });
});
