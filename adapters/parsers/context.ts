import type { ParseLimits } from './port.ts';

/** What a format's parser is told besides the bytes. `name` is the file's own name, never trusted for its type. */
export interface ParseContext {
  name: string;
  limits: ParseLimits;
  /** Whether a web page is to be reduced to its main part. */
  article?: boolean;
}
