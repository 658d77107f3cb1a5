import type { LiveEvent } from '../../domain/contracts/events.ts';
import { LiveRegion } from './live-region.ts';
import { colorsFor, printable } from './output.ts';
import { minute } from './print-waiting.ts';

/**
 * Shows the steps of a run while they happen, on standard error: standard output is for the answer. On a terminal the step under way and the draft
 * of the answer stand below them until they are over.
 */
export class StepPrinter {
  private readonly stream: NodeJS.WriteStream;
  private readonly colors: ReturnType<typeof colorsFor>;
  private readonly region: LiveRegion;
  private underWay: string | null = null;
  private draft = '';

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.stream = stream;
    this.colors = colorsFor(stream);
    this.region = new LiveRegion(stream);
  }

  print(event: LiveEvent): void {
    const { colors } = this;
    switch (event.type) {
      case 'step-start':
        this.underWay = event.step;
        return this.refresh();
      case 'step-end':
        return this.line(
          `${event.note.startsWith('failed: ') ? colors.red('✗') : colors.green('✓')} ${event.step.padEnd(16)}${printable(event.note)} ${colors.dim(`${Math.round(event.ms)} ms`)}`,
        );
      case 'grade-end':
        return this.line(`${colors.cyan('→')} ${event.verdict}, evidence ${event.quality}`);
      case 'tier-start':
        return this.line(`${colors.yellow('↻')} ${event.tier}: ${printable(event.query)}`);
      case 'review-request':
        return this.line(
          `${colors.yellow('?')} waits for a reviewer (${event.reason.replaceAll('_', ' ')}) until ${minute(event.deadline)}`,
        );
      case 'review-decision':
        return this.line(
          event.by === null
            ? `${colors.yellow('?')} no reviewer decided in time`
            : `${colors.green('✓')} ${printable(event.by)} decided: ${event.decision}`,
        );
      case 'text-start':
      case 'text-reset':
        this.draft = '';
        return this.refresh();
      case 'text-delta':
        this.draft += printable(event.text);
        return this.refresh();
      case 'text-end':
        return;
      case 'run-end':
        this.draft = '';
        return this.line(colors.dim(event.status));
      case 'run-error':
        this.draft = '';
        return this.line(`${colors.red('✗')} ${event.reason}`);
    }
  }

  /** Takes away what stands below the steps. */
  end(): void {
    this.region.clear();
  }

  private line(text: string): void {
    this.region.clear();
    this.underWay = null;
    this.stream.write(`  ${text}\n`);
    this.refresh();
  }

  private refresh(): void {
    const step = this.underWay === null ? [] : [`  … ${this.underWay}`];
    const draft = this.draft === '' ? [] : this.draft.split('\n').map((line) => `    ${line}`);
    if (step.length + draft.length === 0) this.region.clear();
    else this.region.show([...step, ...draft], (row) => this.colors.dim(row));
  }
}
