import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createPairScorer, type LocalPairScorer } from '../../adapters/models/local/index.ts';
import type { PairKind } from '../../adapters/models/local/pair-kinds.ts';
import { ModelError } from '../../adapters/models/port.ts';

const never = new AbortController().signal;
const fixtures = join(import.meta.dirname, 'fixtures', 'pair-models');
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

let dir: string;
const open: LocalPairScorer[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plumbline-pairs-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((scorer) => scorer.close()));
  await rm(dir, { recursive: true, force: true });
});

/** A folder with one of the tiny models, which count the words that both texts have (fixtures/pair-models/make.py). */
async function folder(model: 'relevance' | 'entailment', config: unknown = {}): Promise<string> {
  await copyFile(join(fixtures, `${model}.onnx`), join(dir, 'model.onnx'));
  await copyFile(join(fixtures, 'tokenizer.json'), join(dir, 'tokenizer.json'));
  await writeFile(join(dir, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
  return dir;
}

async function scorerOf(kind: PairKind, model: 'relevance' | 'entailment', config?: unknown): Promise<LocalPairScorer> {
  const scorer = await createPairScorer({ kind, dir: await folder(model, config) });
  open.push(scorer);
  return scorer;
}

async function failure(kind: PairKind, from = dir): Promise<ModelError> {
  const outcome: unknown = await createPairScorer({ kind, dir: from }).then(
    (scorer) => open.push(scorer),
    (error: unknown) => error,
  );
  if (!(outcome instanceof ModelError)) throw new Error(`no ModelError but ${String(outcome)}`);
  return outcome;
}

const threeLabels = { id2label: { 0: 'contradiction', 1: 'entailment', 2: 'neutral' } };
const pair = (first: string, second: string) => ({ first, second });

describe('a local cross-encoder', () => {
  test('with one output scores by its sigmoid, in the order of the pairs', async () => {
    const scorer = await scorerOf('cross-encoder', 'relevance', { id2label: { 0: 'LABEL_0' } });
    expect(scorer.id).toBe('local/cross-encoder');
    const scores = await scorer.score(
      [pair('the late fee', 'the fee is nine'), pair('late fee', 'warranty'), pair('fee', 'fee fee fee')],
      never,
    );
    // 2, 0 and 3 words shared; the logit is 2 × shared − 3.
    for (const [index, shared] of [2, 0, 3].entries()) expect(scores[index]).toBeCloseTo(sigmoid(2 * shared - 3), 5);
  });

  test('scores a pair the same alone and in any company', async () => {
    const scorer = await scorerOf('cross-encoder', 'relevance');
    const pairs = Array.from({ length: 12 }, (_, n) =>
      pair('the late fee', `${'the fee is nine percent '.repeat(n)}late`),
    );
    const together = await scorer.score(pairs, never);
    for (const index of [0, 5, 11]) expect(await scorer.score([pairs[index]!], never)).toEqual([together[index]]);
  });

  test('reads a long passage to its end: what stands behind the model’s window counts', async () => {
    const scorer = await scorerOf('cross-encoder', 'relevance', { max_position_embeddings: 64 });
    const filler = 'two years of warranty has three days . '.repeat(40);
    const [without, atEnd, alone] = await scorer.score(
      [
        pair('late fee twelve', filler),
        pair('late fee twelve', `${filler} the late fee is twelve`),
        pair('late fee twelve', 'the late fee is twelve'),
      ],
      never,
    );
    expect(without).toBeCloseTo(sigmoid(-3), 5);
    expect(atEnd).toBeCloseTo(alone!, 5);
  });

  test('refuses a pair of which both texts are too long, rather than cut it', async () => {
    const scorer = await scorerOf('cross-encoder', 'relevance', { max_position_embeddings: 64 });
    const long = 'two years of warranty has three days . '.repeat(10);
    await expect(scorer.score([pair(long, long)], never)).rejects.toMatchObject({
      code: 'context_too_long',
      retryable: false,
    });
    await expect(scorer.score([pair('fee', 'fee')], never)).resolves.toHaveLength(1);
  });
});

describe('a local entailment model', () => {
  const nine = pair('the fee is nine percent', 'the fee is nine');
  const [contradiction, neutral, entailment] = [1, 0, 2 * 4 - 1];
  const expected = Math.exp(entailment) / (Math.exp(contradiction) + Math.exp(neutral) + Math.exp(entailment));

  test('scores by the softmax of the class that config.json calls entailment', async () => {
    const scorer = await scorerOf('entailment', 'entailment', threeLabels);
    expect((await scorer.score([nine], never))[0]).toBeCloseTo(expected, 5);
  });

  test('with the classes in another order scores by that order', async () => {
    const scorer = await scorerOf('entailment', 'entailment', {
      id2label: { 0: 'ENTAILMENT', 1: 'NEUTRAL', 2: 'CONTRADICTION' },
    });
    const [score] = await scorer.score([nine], never);
    expect(score).toBeCloseTo(Math.exp(contradiction) / (Math.exp(1) + Math.exp(0) + Math.exp(entailment)), 5);
  });

  test('finds the premise in a long text in front', async () => {
    const scorer = await scorerOf('entailment', 'entailment', { ...threeLabels, max_position_embeddings: 64 });
    const premise = `${'two years of warranty has three days . '.repeat(30)} the fee is nine percent`;
    const [found] = await scorer.score([pair(premise, 'the fee is nine')], never);
    expect(found).toBeGreaterThan(0.9);
  });

  test.each([
    ['no names', {}, 'id2label: none'],
    ['names that say nothing', { id2label: { 0: 'LABEL_0', 1: 'LABEL_1', 2: 'LABEL_2' } }, 'LABEL_0, LABEL_1, LABEL_2'],
    ['names for other outputs', { id2label: { 0: 'entailment', 1: 'not_entailment' } }, '3 outputs'],
  ])('whose classes have %s is refused at the start', async (_name, config, said) => {
    await folder('entailment', config);
    const error = await failure('entailment');
    expect(error).toMatchObject({ code: 'bad_model', retryable: false });
    expect(error.message).toContain(said);
  });
});

describe('a folder that cannot be used', () => {
  test.each(['model.onnx', 'tokenizer.json', 'config.json'])(
    'without %s: says what is missing and which setting',
    async (file) => {
      await folder('relevance');
      await rm(join(dir, file));
      const error = await failure('cross-encoder');
      expect(error).toMatchObject({ code: 'not_installed', retryable: false });
      expect(error.message).toContain(join(dir, file));
      expect(error.message).toContain('PLUMBLINE_CROSS_ENCODER_DIR');
      expect((await failure('entailment')).message).toContain('PLUMBLINE_ENTAILMENT_DIR');
    },
  );

  test.each(['', '[]', '{"id2label": 3}', 'version https://git-lfs.github.com/spec/v1'])(
    'with %j for config.json: is bad',
    async (content) => {
      await folder('relevance', content);
      const error = await failure('cross-encoder');
      expect(error.code).toBe('bad_model');
      expect(error.message).toContain('config.json');
    },
  );

  test.each(['model.onnx', 'tokenizer.json'])('with a damaged %s: is bad, by name', async (file) => {
    await folder('relevance');
    await writeFile(join(dir, file), 'version https://git-lfs.github.com/spec/v1');
    const error = await failure('cross-encoder');
    expect(error).toMatchObject({ code: 'bad_model', retryable: false });
    expect(error.message).toContain('The cross-encoder');
  });
});

describe('use by many', () => {
  test('twenty calls at once get their own scores', async () => {
    const scorer = await scorerOf('cross-encoder', 'relevance');
    const scores = await Promise.all(
      Array.from({ length: 20 }, (_, n) => scorer.score([pair('fee', 'fee '.repeat(n % 4))], never)),
    );
    for (const [n, [score]] of scores.entries()) expect(score).toBeCloseTo(sigmoid(2 * (n % 4) - 3), 5);
  });

  test('a call that is aborted ends with the reason, and the others go on', async () => {
    const scorer = await scorerOf('cross-encoder', 'relevance');
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const aborted = scorer.score(
      Array.from({ length: 2000 }, () => pair('fee', 'late fee')),
      controller.signal,
    );
    const other = scorer.score([pair('fee', 'late fee')], never);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await expect(other).resolves.toHaveLength(1);
  });

  test('after closing says that it is closed', async () => {
    const scorer = await createPairScorer({ kind: 'cross-encoder', dir: await folder('relevance') });
    await scorer.close();
    await expect(scorer.score([pair('a', 'b')], never)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});
