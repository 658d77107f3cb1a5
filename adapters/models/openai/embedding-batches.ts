import type { TextWindow } from '../text-windows.ts';

/** What one request may hold. */
export interface BatchLimits {
  texts: number;
  tokens: number;
}

/** The texts in their order, cut into requests as full as the limits allow. A text over the limit of tokens has a request of its own. */
export function batchesOf(windows: readonly TextWindow[], limits: BatchLimits): TextWindow[][] {
  const batches: TextWindow[][] = [];
  let tokens = 0;
  for (const window of windows) {
    const last = batches.at(-1);
    tokens += window.tokens;
    if (last !== undefined && last.length < limits.texts && tokens <= limits.tokens) last.push(window);
    else {
      batches.push([window]);
      tokens = window.tokens;
    }
  }
  return batches;
}
