import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError } from '../port.ts';

/** The two files of a sentence-embedding model in the layout of the Hugging Face hub. */
export type ModelFiles = { modelPath: string; tokenizerPath: string };

/** A folder with `model.onnx` and `tokenizer.json`, or the two files by path. */
export type ModelLocation = { modelDir: string } | ModelFiles;

/** @throws ModelError `not_installed` naming the file that cannot be read and how to get it. */
export async function locateModelFiles(location: ModelLocation): Promise<ModelFiles> {
  const files =
    'modelDir' in location
      ? { modelPath: join(location.modelDir, 'model.onnx'), tokenizerPath: join(location.modelDir, 'tokenizer.json') }
      : { modelPath: location.modelPath, tokenizerPath: location.tokenizerPath };
  for (const path of [files.modelPath, files.tokenizerPath]) {
    await access(path).catch((cause: unknown) => {
      throw new ModelError(
        'not_installed',
        `The embedding model is not installed: cannot read ${path}. Start Plumbline once with \`npm start\`, which fetches it, ` +
          'or set PLUMBLINE_MODEL_DIR to a folder with model.onnx and tokenizer.json of e5-small-v2.',
        { retryable: false, cause },
      );
    });
  }
  return files;
}
