/** Whoever reads the output may stop at any time (`| head -1`): what is written from then on is for nobody, and no failure. */
export function allowClosedPipes(...streams: NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
