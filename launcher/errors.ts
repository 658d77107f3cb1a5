import { types } from 'node:util';

export type LauncherErrorCode =
  | 'Settings.Invalid'
  | 'Artifact.Unavailable'
  | 'Artifact.Damaged'
  | 'Cache.NotWritable'
  | 'Temporal.Unsuitable'
  | 'Temporal.StartFailed'
  | 'Temporal.Unreachable'
  | 'Temporal.SearchAttributes'
  | 'Index.Unavailable'
  | 'Models.Unavailable'
  | 'Evidence.Unavailable'
  | 'DataDir.NotWritable'
  | 'AuditDir.NotWritable'
  | 'Instance.Running'
  | 'Port.Taken'
  | 'Port.NotAllowed';

/** A failure of set-up that a person can mend: `message` says what is wrong, `remedy` what to do. Printed without a stack. */
export class LauncherError extends Error {
  readonly code: LauncherErrorCode;
  readonly remedy: string;

  constructor(code: LauncherErrorCode, message: string, options: { remedy: string; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LauncherError';
    this.code = code;
    this.remedy = options.remedy;
  }
}

/** The `code` of a Node system error (ENOENT, EACCES, …), or undefined for any other value. Errors of another realm count, unlike with `instanceof`. */
export function systemCode(error: unknown): string | undefined {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The message of an error, or the value itself as text. */
export function messageOf(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error);
}
