import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { metadataOverridesSchema, type MetadataOverrides } from '../domain/contracts/document.ts';
import type { SourceFile } from '../domain/contracts/ingestion.ts';
import { ApiError } from './errors.ts';
import { valid } from './validate.ts';

export interface UploadLimits {
  files: number;
  fileBytes: number;
  /** Of the whole request. */
  requestBytes: number;
}

export const uploadLimits: UploadLimits = { files: 50, fileBytes: 200 * 2 ** 20, requestBytes: 2 ** 30 };

export interface Upload {
  files: SourceFile[];
  /** Over names, contents and metadata. */
  hash: string;
}

interface StoredFile {
  originalname: string;
  path: string;
  sha256: string;
}

/** A file as it was sent. Nothing is ever written under its name. */
export interface ReceivedFile {
  name: string;
  path: string;
  sha256: string;
}

interface Receiving {
  /** Of their own; removed again when the request is refused or breaks off. */
  folder: string;
  limits: UploadLimits;
  /** Names of the fields beside `file`. */
  fields: string[];
}

/** Receives documents (field `file`, any number; field `metadata`, JSON for all of them). @throws ApiError */
export function receiveUpload(
  request: { req: Request; res: Response },
  place: Pick<Receiving, 'folder' | 'limits'>,
): Promise<Upload> {
  return receiveFiles(request, { ...place, fields: ['metadata'] }, (received, { metadata }) => {
    const overrides = overridesOf(metadata, received.length);
    const files = received.map((file) => sourceFile(file, overrides));
    const named = received.map(({ name, sha256 }) => [name, sha256]);
    return {
      files,
      hash: createHash('sha256')
        .update(JSON.stringify([named, overrides]))
        .digest('hex'),
    };
  });
}

/** Streams the files of a multipart request into a folder; what `take` gives for them and the other fields comes back. @throws ApiError */
export async function receiveFiles<T>(
  { req, res }: { req: Request; res: Response },
  { folder, limits, fields }: Receiving,
  take: (files: ReceivedFile[], fields: Record<string, unknown>) => T,
): Promise<T> {
  checkRequest(req, limits);
  await makeFolder(folder);
  try {
    await receive(req, res, { folder, limits, fields });
    const stored = (req.files ?? []) as unknown as StoredFile[];
    if (stored.length === 0) throw new ApiError('Request.WrongFields', 'Send at least one file in the field "file".');
    const files = stored.map(({ originalname, path, sha256 }) => ({ name: usableName(originalname), path, sha256 }));
    return take(files, knownFields(req, fields));
  } catch (error) {
    await removeUpload(folder);
    throw uploadError(error, { limits, fields });
  }
}

/** Removes what was received there, and the folders above it that belong to the run as far as they are empty then. */
export async function removeUpload(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const uploads = dirname(folder);
  for (const parent of [uploads, dirname(uploads)]) {
    try {
      await rmdir(parent);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code)) throw error;
    }
  }
}

/** Another call with the same key may remove the empty folders above at this very moment. */
async function makeFolder(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await mkdir(folder, { recursive: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 5) throw error;
    }
  }
}

function checkRequest(req: Request, { requestBytes }: UploadLimits): void {
  if (!req.is('multipart/form-data')) {
    throw new ApiError('Request.WrongType', 'Send multipart/form-data with the documents in the field "file".');
  }
  const length = Number(req.get('Content-Length') ?? Number.NaN);
  if (Number.isNaN(length))
    throw new ApiError('Request.NoLength', 'Send the header Content-Length, so that the size is known beforehand.');
  if (length > requestBytes) throw tooLarge(`Send at most ${requestBytes} bytes at once.`, requestBytes);
}

function receive(req: Request, res: Response, { folder, limits, fields }: Receiving): Promise<void> {
  const middleware = multer({
    storage: hashingStorage(folder),
    preservePath: true,
    defParamCharset: 'utf8',
    limits: {
      files: limits.files,
      fileSize: limits.fileBytes,
      fields: fields.length,
      fieldSize: 64 * 1024,
      fieldNameSize: 100,
    },
  }).array('file', limits.files);
  return promisify<Request, Response, void>(middleware)(req, res);
}

/** Writes each file under a number and hashes it on the way, a piece at a time. */
function hashingStorage(folder: string): StorageEngine {
  let count = 0;
  const store = async (stream: NodeJS.ReadableStream) => {
    const path = join(folder, String(++count).padStart(4, '0'));
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(piece: Buffer, _encoding, done) {
        hash.update(piece);
        done(null, piece);
      },
    });
    await pipeline(stream, hashing, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return { path, sha256: hash.digest('hex') };
  };
  return {
    _handleFile: (_req, file, done) => {
      store(file.stream).then((stored) => done(null, stored), done);
    },
    // The whole folder goes when the request fails.
    _removeFile: (_req, _file, done) => done(null),
  };
}

function knownFields(req: Request, fields: string[]): Record<string, unknown> {
  const given = (req.body ?? {}) as Record<string, unknown>;
  const other = Object.keys(given).find((name) => !fields.includes(name));
  if (other === undefined) return given;
  throw new ApiError('Request.WrongFields', `There is no field "${other}"; send ${namesOf(fields)}.`);
}

function namesOf(fields: string[]): string {
  return new Intl.ListFormat('en').format(['file', ...fields].map((name) => `"${name}"`));
}

function overridesOf(metadata: unknown, files: number): MetadataOverrides {
  if (metadata === undefined) return {};
  const overrides = valid(metadataOverridesSchema.strict(), parseJson(metadata), 'metadata');
  if (overrides.id !== undefined && files > 1)
    throw new ApiError('Request.WrongFields', 'metadata.id: one id cannot be that of several files.');
  return overrides;
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new ApiError('Request.MalformedJson', 'The field "metadata" must be a JSON object.', { cause: error });
  }
}

function sourceFile({ name, path }: ReceivedFile, overrides: MetadataOverrides): SourceFile {
  return { path, name, uri: `upload:${name.split('/').map(encodeURIComponent).join('/')}`, overrides };
}

/** The name is only a name. It may make a document's id, so it must not look like a way out of a folder. */
function usableName(originalname: string): string {
  const name = originalname.normalize('NFC').replaceAll('\\', '/');
  const parts = name.split('/');
  const odd =
    parts.some((part) => part === '' || part === '.' || part === '..') || /\p{Cc}/u.test(name) || name.length > 500;
  if (odd)
    throw new ApiError(
      'Request.WrongFields',
      `file: "${name.slice(0, 100)}" is no usable file name; send a relative path.`,
    );
  return name;
}

function uploadError(error: unknown, { limits, fields }: Pick<Receiving, 'limits' | 'fields'>): unknown {
  const { files, fileBytes } = limits;
  if (error instanceof ApiError) return error;
  if (error instanceof MulterError) {
    if (error.code === 'LIMIT_FILE_SIZE') return tooLarge(`A file may have at most ${fileBytes} bytes.`, fileBytes);
    if (error.code === 'LIMIT_FILE_COUNT')
      return new ApiError(
        'Request.WrongFields',
        files === 1 ? 'Send one file only.' : `Send at most ${files} files at once.`,
        { cause: error },
      );
    const field = error.field === undefined ? '' : `${error.field}: `;
    return new ApiError('Request.WrongFields', `${field}${error.message}; send ${namesOf(fields)}.`, { cause: error });
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new ApiError('Upload.NoSpace', 'Free some space in the data folder, then send it again.', { cause: error });
  }
  // What is left with a code comes from the file system; without one it is the parser's word on a malformed or broken body.
  if (code !== undefined || !(error instanceof Error)) return error;
  return new ApiError('Request.Invalid', `The multipart body cannot be read: ${error.message}.`, { cause: error });
}

function tooLarge(detail: string, limit: number): ApiError {
  return new ApiError('Request.TooLarge', detail, { members: { limit } });
}
