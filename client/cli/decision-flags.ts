import { openAsBlob } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AddedEvidence, ReviewDecision } from '../../domain/contracts/review.ts';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { whyUnusable } from './file-errors.ts';

/** What `review decide` can be given, beside what goes with every kind of decision. */
export interface DecisionFlags {
  text?: string;
  textFile?: string;
  sourceTitle?: string;
  sourceUri?: string;
  sourceText?: string;
  sourceFile?: string;
  vouch?: true;
  title?: string;
  uri?: string;
  file?: string;
  url?: string;
  query?: string;
  hint?: string;
  web?: true;
  maxCost?: number;
  reason?: string;
}

/** A decision to send as JSON, or a file to send with the fields of a form. */
export type GivenDecision = { decision: ReviewDecision } | { file: Blob; name: string; title: string | undefined };

/** The words for decisions, each with the flags that it takes. */
export const decisionWords = {
  confirm: [],
  answer: ['text', 'textFile', 'sourceTitle', 'sourceUri', 'sourceText', 'sourceFile', 'vouch'],
  'add-evidence': ['text', 'textFile', 'title', 'uri', 'file', 'url'],
  retry: ['query', 'hint', 'web', 'maxCost'],
  reject: ['reason'],
  approve: [],
  decline: ['reason'],
} as const satisfies Record<string, (keyof DecisionFlags)[]>;
export type DecisionWord = keyof typeof decisionWords;

/** @throws CliError for flags that are missing, do not go together or name a file that cannot be read */
export async function decisionOf(word: DecisionWord, flags: DecisionFlags): Promise<GivenDecision> {
  const taken: readonly string[] = decisionWords[word];
  const idle = Object.keys(flags).find((name) => !taken.includes(name));
  if (idle !== undefined) throw usage(`${flagOf(idle)} does not go with "${word}"`);
  switch (word) {
    case 'confirm':
    case 'approve':
      return { decision: { kind: word } };
    case 'answer':
      return { decision: await answerOf(flags) };
    case 'add-evidence':
      return evidenceOf(flags);
    case 'retry':
      return { decision: retryOf(flags) };
    case 'reject':
    case 'decline':
      return { decision: { kind: word, reason: needed(flags, 'reason') } };
  }
}

async function answerOf(flags: DecisionFlags): Promise<ReviewDecision> {
  const text = await textOf(flags, 'text', 'textFile');
  if (text === null) throw usage('an answer needs --text or --text-file');
  const title = needed(flags, 'sourceTitle');
  const source = { title, uri: flags.sourceUri ?? '', text: await textOf(flags, 'sourceText', 'sourceFile') };
  return { kind: 'answer', text, source, vouched: flags.vouch ?? false };
}

async function evidenceOf(flags: DecisionFlags): Promise<GivenDecision> {
  const ways = [flags.text ?? flags.textFile, flags.file, flags.url].filter((way) => way !== undefined);
  if (ways.length !== 1) throw usage('evidence is one of --text (or --text-file), --file and --url');
  const { file, url, title, uri = '' } = flags;
  if (file !== undefined) return { file: await blobOf(file), name: basename(file), title };
  const evidence: AddedEvidence =
    url === undefined
      ? {
          from: 'text',
          text: (await textOf(flags, 'text', 'textFile')) ?? '',
          title: needed(flags, 'title'),
          uri,
        }
      : { from: 'address', url };
  return { decision: { kind: 'addEvidence', evidence } };
}

function retryOf({ query, hint, web, maxCost }: DecisionFlags): ReviewDecision {
  if ([query, hint, web, maxCost].every((flag) => flag === undefined))
    throw usage('a retry needs --query, --hint, --web or --max-cost: the same again would find the same');
  return {
    kind: 'retry',
    ...(query === undefined ? {} : { query }),
    ...(hint === undefined ? {} : { hint }),
    ...(web === undefined ? {} : { web }),
    ...(maxCost === undefined ? {} : { maxCostUsd: maxCost }),
  };
}

/** From the flag itself, or from the file that the other one names; null with neither. */
async function textOf(
  flags: DecisionFlags,
  inline: 'text' | 'sourceText',
  fromFile: 'textFile' | 'sourceFile',
): Promise<string | null> {
  const { [inline]: text, [fromFile]: path } = flags;
  if (text !== undefined && path !== undefined)
    throw usage(`${flagOf(inline)} and ${flagOf(fromFile)} do not go together`);
  if (path === undefined) return text ?? null;
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** A folder, or a file that may not be read, would be found out while it is sent only. */
async function blobOf(path: string): Promise<Blob> {
  try {
    if ((await stat(path)).isDirectory()) throw new CliError(exitCodes.usage, `${path} is a folder.`, oneFile);
    await access(path, constants.R_OK);
    return await openAsBlob(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function needed(flags: DecisionFlags, name: 'sourceTitle' | 'title' | 'reason'): string {
  const { [name]: value } = flags;
  if (value === undefined) throw usage(`${flagOf(name)} is needed`);
  return value;
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function usage(message: string): CliError {
  return new CliError(exitCodes.usage, `${message}.`, 'What can be given: plumbline review decide --help');
}

const oneFile = 'Name one file that you may read.';

function unreadable(path: string, error: unknown): CliError {
  if (error instanceof CliError) return error;
  return new CliError(exitCodes.usage, `${path} cannot be read: ${whyUnusable(error)}.`, oneFile);
}
