import wrapAnsi from 'wrap-ansi';

/** Lines at the bottom of a terminal that are written anew each time they change. Nothing is shown where there is no terminal. */
export class LiveRegion {
  private readonly stream: NodeJS.WriteStream;
  private rows = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.stream = stream;
  }

  /** Shows these lines, wrapped, in place of those shown; of more than fit the screen, the last ones. `style` is put around each row. */
  show(lines: string[], style: (row: string) => string): void {
    if (!this.stream.isTTY) return;
    // The last column stays free: a row that fills it has its cursor in two places.
    const width = Math.max(Math.min(this.stream.columns ?? 80, 100) - 1, 20);
    const wrapped = lines.flatMap((line) => wrapAnsi(line, width, { hard: true, trim: false }).split('\n'));
    const shown = wrapped.slice(1 - (this.stream.rows ?? 24));
    this.stream.write(this.erasing() + shown.map((row) => style(row.trimEnd())).join('\n'));
    this.rows = shown.length;
  }

  clear(): void {
    if (this.rows > 0) this.stream.write(this.erasing());
    this.rows = 0;
  }

  /** To the start of the first row shown, and nothing after it. */
  private erasing(): string {
    if (this.rows === 0) return '';
    return `\r${this.rows > 1 ? `\u001b[${this.rows - 1}A` : ''}\u001b[J`;
  }
}
