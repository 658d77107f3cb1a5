import type { StepEvent } from '../../domain/contracts/events.ts';
import { colorsFor, printable } from './output.ts';

const err = process.stderr;

/** Shows the steps of a run while they happen, on standard error: standard output is for the answer. */
export class StepPrinter {
  private readonly colors = colorsFor(err);
  private underWay = false;

  print(event: StepEvent): void {
    const { colors } = this;
    switch (event.type) {
      case 'step-start':
        // Only a terminal can take it back when the step has ended.
        if (err.isTTY) err.write(colors.dim(`  … ${event.step}`));
        this.underWay = true;
        return;
      case 'step-end':
        return this.line(
          `${colors.green('✓')} ${event.step.padEnd(16)}${printable(event.note)} ${colors.dim(`${Math.round(event.ms)} ms`)}`,
        );
      case 'grade-end':
        return this.line(`${colors.cyan('→')} ${event.verdict}, evidence ${event.quality}`);
      case 'tier-start':
        return this.line(`${colors.yellow('↻')} ${event.tier}: ${printable(event.query)}`);
      case 'run-end':
        return this.line(colors.dim(event.status));
      case 'run-error':
        return this.line(`${colors.red('✗')} ${event.reason}`);
    }
  }

  private line(text: string): void {
    if (this.underWay && err.isTTY) err.write('\r\x1b[K');
    this.underWay = false;
    err.write(`  ${text}\n`);
  }
}
