import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ensureEmbeddingModel, locateEmbeddingModel } from '../../launcher/embedding-model.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { temporaryFolders } from './temp-folder.ts';

const newFolder = temporaryFolders();

describe('the embedding model', () => {
  test('in a folder of the user is taken under either name and told apart from the pinned one', async () => {
    const pinned = await ensureEmbeddingModel(loadSettings(process.env));
    const folder = newFolder();
    copyFileSync(pinned.modelPath, join(folder, 'e5-small-v2-q.onnx'));
    copyFileSync(pinned.tokenizerPath, join(folder, 'tokenizer.json'));
    const settings = loadSettings({ PLUMBLINE_MODEL_DIR: folder });
    expect(await ensureEmbeddingModel(settings)).toEqual({
      modelPath: join(folder, 'e5-small-v2-q.onnx'),
      tokenizerPath: join(folder, 'tokenizer.json'),
      origin: 'setting',
      verified: true,
    });
    writeFileSync(join(folder, 'tokenizer.json'), '{}');
    expect((await locateEmbeddingModel(settings))?.verified).toBe(false);
  });

  test('missing from the folder of the user is named, not fetched', async () => {
    const settings = loadSettings({ PLUMBLINE_MODEL_DIR: newFolder() });
    await expect(ensureEmbeddingModel(settings)).rejects.toMatchObject({
      code: 'Artifact.Unavailable',
      message: expect.stringContaining('model.onnx'),
      remedy: expect.stringContaining('PLUMBLINE_MODEL_DIR'),
    });
  });

  test('not in the cache is absent', async () => {
    expect(await locateEmbeddingModel(loadSettings({ PLUMBLINE_CACHE_DIR: newFolder() }))).toBeNull();
  });
});
