export type Progress = {
  /** Bytes so far, where they are known. */
  update: (bytes: number) => void;
  end: (outcome: 'done' | 'failed') => void;
};

type Output = { isTTY?: boolean; write: (text: string) => unknown };

/**
 * Says on stderr that something is being fetched: a live line on a terminal, else one line at the start and one at the end.
 * @param totalBytes expected size in bytes
 */
export function showProgress(title: string, totalBytes: number, output: Output = process.stderr): Progress {
  const started = performance.now();
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  let bytes = 0;
  const line = () => {
    const sofar = bytes > 0 ? `${megabytes(bytes)} of ${megabytes(totalBytes)} MB` : `${megabytes(totalBytes)} MB`;
    return `Fetching ${title}: ${sofar}, ${seconds()} s`;
  };
  const draw = () => output.write(`\r\x1b[K${line()}`);
  const timer = output.isTTY ? setInterval(draw, 200) : undefined;
  timer?.unref();
  if (output.isTTY) draw();
  else output.write(`Fetching ${title} (${megabytes(totalBytes)} MB) …\n`);
  return {
    update: (sofar) => {
      bytes = sofar;
    },
    end: (outcome) => {
      clearInterval(timer);
      const lead = output.isTTY ? '\r\x1b[K' : '';
      const result = outcome === 'done' ? 'Fetched' : 'Could not fetch';
      output.write(`${lead}${result} ${title} (${megabytes(totalBytes)} MB, ${seconds()} s)\n`);
    },
  };
}
