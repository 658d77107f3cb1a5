import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { cosine, openModel } from './local-model.ts';

const sentence = (n: number) => `Clause ${n}: a late return costs ${n} % of the deposit, due within ${n + 3} days.`;
/** About 120 tokens. */
const paragraph = (n: number) => Array.from({ length: 5 }, (_, at) => sentence(n * 7 + at)).join(' ');

let model: EmbeddingModel;
beforeAll(async () => {
  model = await openModel(2);
});
afterAll(() => model.close());

describe('vectors of the local model', () => {
  test('have 384 dimensions and unit length', async () => {
    for (const vector of await model.embedPassages([
      '',
      'x',
      sentence(1),
      paragraph(1),
      '設備点検',
      '👩‍👩‍👧‍👦 😀',
      '\ud800',
    ])) {
      expect(vector).toHaveLength(384);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test('put a paraphrase nearer than something else', async () => {
    const question = await model.embedQuery('How much do I pay if I bring the bicycle back late?');
    const [paraphrase, other] = await model.embedPassages([
      'Returning a bike after the agreed time is charged at 4 marks an hour.',
      'The museum shows paintings of the northern school on two floors.',
    ]);
    expect(cosine(question, paraphrase)).toBeGreaterThan(cosine(question, other) + 0.05);
  });

  test('differ for a query and a passage of the same words', async () => {
    const [passage] = await model.embedPassages(['harbour permit']);
    expect(cosine(await model.embedQuery('harbour permit'), passage)).toBeLessThan(0.999);
  });

  test('of a longer passage depend on it alone: the same bits alone, in any company, on any thread', async () => {
    const texts = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? paragraph(n) : `${sentence(n)} ${n}`));
    const together = await model.embedPassages(texts);
    const single = await openModel(1);
    try {
      for (const index of [0, 3, 30, 57]) {
        const [alone] = await single.embedPassages([texts[index]!]);
        expect(alone).toEqual(together[index]);
      }
    } finally {
      await single.close();
    }
  });

  test('of short passages, which share runs, are the same bits for the same call, in any order, on any thread', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `${sentence(n)} ${'And so on.'.repeat(n % 4)} ${n}`);
    const together = await model.embedPassages(texts);
    const single = await openModel(1);
    try {
      expect(await single.embedPassages(texts.toReversed())).toEqual(together.toReversed());
      for (const index of [0, 1, 2, 3, 39]) {
        const [alone] = await single.embedPassages([texts[index]!]);
        expect(cosine(alone, together[index])).toBeGreaterThan(0.99);
      }
    } finally {
      await single.close();
    }
  });

  test('of questions depend on the question alone', async () => {
    const questions = Array.from({ length: 12 }, (_, n) => `What does clause ${n} cost?`);
    const together = await Promise.all(questions.map((question) => model.embedQuery(question)));
    const single = await openModel(1);
    try {
      expect(await single.embedQuery(questions[5]!)).toEqual(together[5]);
    } finally {
      await single.close();
    }
  });

  test('of texts that occur twice in a call are the same', async () => {
    const [a, b, c] = await model.embedPassages([paragraph(3), sentence(2), paragraph(3)]);
    expect(a).toEqual(c);
    expect(a).not.toEqual(b);
  });
});

describe('a text longer than the model’s window', () => {
  const filler = Array.from(
    { length: 80 },
    (_, n) => `The garden plan number ${n} shows roses, paths and a small pond.`,
  ).join(' ');

  test('counts: its tail still moves the vector', async () => {
    expect(model.countTokens(filler)).toBeGreaterThan(2 * model.maxTokens);
    const tail = Array.from({ length: 30 }, () => 'Turbine fault E-0417 means that the motor shutter is jammed.').join(
      ' ',
    );
    const [plain, extended, aboutTail] = await model.embedPassages([filler, `${filler} ${tail}`, tail]);
    expect(cosine(extended, aboutTail)).toBeGreaterThan(cosine(plain, aboutTail) + 0.02);
    expect(Math.hypot(...extended!)).toBeCloseTo(1, 5);
  });

  test('is embedded in one window up to maxTokens', async () => {
    const exact = 'pond '.repeat(model.maxTokens).trim();
    expect(model.countTokens(exact)).toBe(model.maxTokens);
    const [at, beyond] = await model.embedPassages([exact, `${exact} pond`]);
    expect(cosine(at, beyond)).toBeGreaterThan(0.9);
  });

  test('may be a question too', async () => {
    expect(Math.hypot(...(await model.embedQuery(filler)))).toBeCloseTo(1, 5);
  });
});

describe('countTokens', () => {
  // Counted with the reference implementation (the tokenizers crate) and this model's tokenizer.json.
  test.each([
    ['', 0],
    ['hello', 1],
    ['Der Überfluss an Würde – façade, naïve!', 12],
    ['設備点検は毎月第二火曜日に行う。', 16],
    ['ＡＢ１２ AB12', 3],
    ['👩‍👩‍👧‍👦 family 😀', 3],
    ['INV-1042-AB, E-0417/b', 14],
    ['unaffordability', 4],
    ['a'.repeat(101), 1],
    ['\u0000zero\u200bwidth\ufeff bom', 6],
    ['ﬁnal oﬃce ﬂoor', 5],
    ['Привет, мир', 10],
    ['नमस्ते दुनिया', 9],
    ['한국어 문장', 14],
    ['e\u0301cole', 1],
    ['x\t\n\r y   z', 3],
    ['3.14159 × 10⁻³ m² ≤ 5 %', 12],
    ["don't-stop_me (now)", 10],
  ])('of %j is %d', (text, tokens) => {
    expect(model.countTokens(text)).toBe(tokens);
  });
});

describe('use by many at once', () => {
  test('does not block the event loop while a long passage is embedded', async () => {
    let turns = 0;
    let done = false;
    const turn = () => {
      turns++;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    await model.embedPassages([Array.from({ length: 100 }, (_, n) => sentence(n + 1000)).join(' ')]);
    done = true;
    expect(turns).toBeGreaterThan(50);
  });

  test('answers twenty questions in parallel, each with its own vector', async () => {
    const questions = Array.from({ length: 20 }, (_, n) => `What does clause ${n} say about the deposit?`);
    const vectors = await Promise.all(questions.map((question) => model.embedQuery(question)));
    expect(vectors[7]).toEqual(await model.embedQuery(questions[7]!));
    expect(new Set(vectors.map((vector) => vector.join())).size).toBe(20);
  });

  test('remembers questions, and a caller who changes the vector changes only a copy', async () => {
    const first = await model.embedQuery('What is remembered?');
    const begin = performance.now();
    for (let n = 0; n < 200; n++) await model.embedQuery('What is remembered?');
    expect((performance.now() - begin) / 200).toBeLessThan(1);
    const kept = first.slice();
    first.fill(0);
    expect(await model.embedQuery('What is remembered?')).toEqual(kept);
  });

  test('stops between texts when aborted, and is usable afterwards', async () => {
    const texts = Array.from({ length: 400 }, (_, n) => paragraph(n + 500));
    const controller = new AbortController();
    const reason = new Error('cancelled by the user');
    const begin = performance.now();
    const call = model.embedPassages(texts, controller.signal);
    setTimeout(() => controller.abort(reason), 100);
    await expect(call).rejects.toBe(reason);
    await expect(model.embedPassages([sentence(4)])).resolves.toHaveLength(1);
    // All 400 take 8 s of a free core.
    expect(performance.now() - begin).toBeLessThan(4000);
  });

  test('rejects when aborted beforehand, also for what the cache knows', async () => {
    await model.embedQuery('known');
    await expect(model.embedQuery('known', AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    await expect(model.embedPassages([], AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  });

  test('after closing says that it is closed', async () => {
    const other = await openModel(1);
    await other.close();
    await expect(other.embedQuery('late')).rejects.toMatchObject({ name: 'ModelError', code: 'unavailable' });
  });
});
