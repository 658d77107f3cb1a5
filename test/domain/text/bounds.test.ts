import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundAt, boundHolds, boundsOppose, type Bound } from '../../../domain/text/bounds.ts';

/** The bound on the first digits of a text, with what follows up to the next space as its unit. */
function boundOf(text: string): Bound {
  const match = /\$?\d[\d.]*(?:\s?(?:%|kg|crowns|days|years))?/.exec(text);
  if (!match) throw new Error('no number');
  return boundAt(text, match.index, match.index + match[0].length).bound;
}

describe('bounds', () => {
  test.each<[string, Bound]>([
    ['the fee is 12%', 'exact'],
    ['the fee must not exceed 12%', 'max'],
    ['it shouldn’t exceed 12%', 'max'],
    ['not more than 12%', 'max'],
    ['the fee may never be higher than 12%', 'max'],
    ['at most 12%', 'max'],
    ['up to 12%', 'max'],
    ['no later than 12 days', 'max'],
    ['within 12 days', 'max'],
    ['the maximum permitted load is 12 kg', 'max'],
    ['12 kg max', 'max'],
    ['12 kg or less', 'max'],
    ['12 people at most', 'max'],
    ['12 kg is the limit', 'max'],
    ['limited to 12 kg', 'max'],
    ['≤ 12 kg', 'max'],
    ['at least 12%', 'min'],
    ['no fewer than 12', 'min'],
    ['not sold under 12 crowns', 'min'],
    ['the minimum age is 12', 'min'],
    ['12 years or older', 'min'],
    ['12+ years', 'min'],
    ['more than 12 kg', 'above'],
    ['the load exceeds 12 kg', 'above'],
    ['over 12 kg', 'above'],
    ['fewer than 12', 'below'],
    ['under 12 kg', 'below'],
    ['< 12 kg', 'below'],
    ['about 12 kg', 'about'],
    ['nearly 12 kg', 'about'],
    ['~12 kg', 'about'],
    ['over the past 12 years', 'exact'],
    ['the limit was raised. It is 12 kg', 'exact'],
    ['it does not have to be more than 12 kg', 'above'],
  ])('%s: %s', (text, expected) => {
    expect(boundOf(text)).toBe(expected);
  });

  const bound = fc.constantFrom<Bound>('exact', 'min', 'above', 'max', 'below', 'about');
  test('a bound follows from itself and from a stricter one only', () => {
    fc.assert(
      fc.property(bound, bound, (said, source) => {
        const follows = said === source || ['max<below', 'min<above', 'about<exact'].includes(`${said}<${source}`);
        expect(boundHolds(said, source)).toBe(follows);
      }),
    );
  });
  test('opposite bounds never follow from each other', () => {
    fc.assert(
      fc.property(
        bound,
        bound,
        (a, b) => !(boundsOppose(a, b) && boundHolds(a, b)) && boundsOppose(a, b) === boundsOppose(b, a),
      ),
    );
    expect(boundsOppose('max', 'above')).toBe(true);
    expect(boundsOppose('max', 'exact')).toBe(false);
  });
});
