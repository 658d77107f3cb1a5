/** A run costs as much as some ten tokens whatever it holds, since it reads all weights once: little is left to gain beyond this length. */
const longestShared = 64;
const mostTogether = 8;
/** Shorter texts are filled up to the longest of their run, which must not eat up what sharing saves. */
const leastShare = 0.75;

/**
 * Which texts are embedded in one run of the model, as indexes, by their numbers of tokens. Short ones of like length share: for eight of 25
 * tokens the time of a text falls by a third. Longer ones have a run of their own: the model's int8 activations share one scale a run, so
 * that a vector depends a little on its neighbours.
 */
export function sharedRuns(tokens: number[]): number[][] {
  const runs: number[][] = [];
  let longest = 0;
  for (const { index, length } of tokens
    .map((length, index) => ({ index, length }))
    .sort((a, b) => b.length - a.length || a.index - b.index)) {
    const run = runs.at(-1);
    if (run && run.length < mostTogether && longest <= longestShared && length >= longest * leastShare) run.push(index);
    else {
      runs.push([index]);
      longest = length;
    }
  }
  return runs;
}
