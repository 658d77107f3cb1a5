import { copyFile, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLocalEmbedding } from '../../adapters/models/local/index.ts';
import { ModelError } from '../../adapters/models/port.ts';
import { modelFiles } from './local-model.ts';

let modelDir: string;
beforeEach(async () => {
  const { modelPath, tokenizerPath } = await modelFiles();
  modelDir = await mkdtemp(join(tmpdir(), 'plumbline-model-'));
  await symlink(modelPath, join(modelDir, 'model.onnx'));
  await copyFile(tokenizerPath, join(modelDir, 'tokenizer.json'));
});
afterEach(() => rm(modelDir, { recursive: true, force: true }));

async function failure(): Promise<ModelError> {
  const outcome: unknown = await createLocalEmbedding({ modelDir }).then(
    (model) => model.close(),
    (error: unknown) => error,
  );
  if (!(outcome instanceof ModelError)) throw new Error(`no ModelError but ${String(outcome)}`);
  return outcome;
}

describe('a model that cannot be used', () => {
  test('opens from a folder when it is whole', async () => {
    const model = await createLocalEmbedding({ modelDir });
    await expect(model.embedQuery('whole')).resolves.toHaveLength(384);
    await model.close();
  });

  test.each(['model.onnx', 'tokenizer.json'])(
    'without %s is not installed, and the message says what to do',
    async (file) => {
      await rm(join(modelDir, file));
      const error = await failure();
      expect(error).toMatchObject({ code: 'not_installed', retryable: false });
      expect(error.message).toContain(file);
      expect(error.message).toContain('npm start');
      expect(error.message).toContain('PLUMBLINE_MODEL_DIR');
    },
  );

  test('with half of its weights is bad', async () => {
    const { modelPath } = await modelFiles();
    const whole = await open(modelPath);
    const { buffer } = await whole.read(Buffer.alloc(1_000_000), 0, 1_000_000, 0);
    await whole.close();
    await rm(join(modelDir, 'model.onnx'));
    await writeFile(join(modelDir, 'model.onnx'), buffer);
    expect(await failure()).toMatchObject({ code: 'bad_model', retryable: false });
  });

  test('with an empty file of weights is bad', async () => {
    await rm(join(modelDir, 'model.onnx'));
    await writeFile(join(modelDir, 'model.onnx'), '');
    expect(await failure()).toMatchObject({ code: 'bad_model' });
  });

  test.each(['', '{', '[]', '{"model":{}}', 'version https://git-lfs.github.com/spec/v1'])(
    'with %j for a tokenizer is bad',
    async (content) => {
      await writeFile(join(modelDir, 'tokenizer.json'), content);
      expect(await failure()).toMatchObject({ code: 'bad_model', retryable: false });
    },
  );

  test('with a vocabulary larger than its weights is bad at the start, not at the first question', async () => {
    const path = join(modelDir, 'tokenizer.json');
    const tokenizer = JSON.parse(await readFile(path, 'utf8')) as { model: { vocab: Record<string, number> } };
    for (const token of Object.keys(tokenizer.model.vocab)) tokenizer.model.vocab[token]! += 40_000;
    await writeFile(path, JSON.stringify(tokenizer));
    expect(await failure()).toMatchObject({ code: 'bad_model' });
  });
});
