import { describe, expect, test } from '@jest/globals';
import type { IndexPort } from '../../adapters/index/port.ts';
import { caught } from './caught.ts';
import { access, dimensions, ingest, query } from './fixtures.ts';

export interface OriginSubject {
  /** The same index each time, until the next test. */
  open(vectors: { dimensions: number; model?: string }): Promise<IndexPort>;
  /** Makes the open index one of before it noted its model. */
  forgetModel(): Promise<void>;
  /** Where else the message says that documents may go. */
  elsewhere: string;
}

const openai = { model: 'openai/text-embedding-3-small', dimensions };
const local = { model: 'local/e5-small-v2', dimensions };

/** What every index must remember of the model whose vectors it holds. `subject` is asked before each test, and closes what it opens. */
export function describeVectorOrigin(name: string, subject: () => OriginSubject): void {
  describe(`whose vectors an index holds: ${name}`, () => {
    const expectRefused = async (vectors: typeof openai, holds: string) => {
      const { open, elsewhere } = subject();
      const error = await caught(open(vectors));
      expect(error).toMatchObject({ code: 'mapping', retryable: false });
      for (const said of [
        holds,
        `${vectors.model} (${vectors.dimensions} dimensions)`,
        'PLUMBLINE_EMBEDDING',
        elsewhere,
      ])
        expect(error.message).toContain(said);
    };

    test('is remembered: the same model opens it again, another of the same length does not', async () => {
      const { open } = subject();
      await ingest(await open(openai), { tenant: 'a', documentId: 'lamp', texts: ['The lamp is green.'] });
      const again = await open(openai);
      expect((await again.search(access('a'), query('lamp'))).knn).toHaveLength(1);
      await expectRefused(local, 'openai/text-embedding-3-small (384 dimensions)');
      expect((await (await open(openai)).search(access('a'), query('lamp'))).knn).toHaveLength(1);
    });

    test('so is their length', async () => {
      await subject().open(openai);
      await expectRefused({ ...openai, dimensions: 512 }, 'openai/text-embedding-3-small (384 dimensions)');
    });

    test('is the local model in an index of before this was noted', async () => {
      const { open, forgetModel } = subject();
      await ingest(await open(local), { tenant: 'a', documentId: 'lamp', texts: ['The lamp is green.'] });
      await forgetModel();
      await expectRefused(openai, 'local/e5-small-v2 (384 dimensions)');
      expect((await (await open(local)).search(access('a'), query('lamp'))).knn).toHaveLength(1);
      await expectRefused(openai, 'local/e5-small-v2 (384 dimensions)');
    });
  });
}
