import { relative } from 'node:path';
import type { AggregatedResult, Reporter, Test, TestResult } from '@jest/reporters';

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One line per passing file; failures in full, with what the file wrote to the console; the counts as the last line. */
export default class QuietReporter implements Reporter {
  readonly #failed: string[] = [];

  onTestResult(test: Test, result: TestResult): void {
    const path = relative(test.context.config.rootDir, test.path);
    const time = seconds(result.perfStats.end - result.perfStats.start);
    if (result.numFailingTests === 0 && !result.testExecError) {
      const skipped = result.numPendingTests + result.numTodoTests;
      write(`ok    ${path}  ${result.numPassingTests} passed${skipped ? `, ${skipped} skipped` : ''}  ${time}`);
      return;
    }
    this.#failed.push(path);
    write(`FAIL  ${path}  ${time}\n${result.failureMessage ?? ''}`);
    for (const { type, message } of result.console ?? []) write(`console.${type}: ${message}`);
  }

  onRunComplete(_contexts: Set<unknown>, results: AggregatedResult): void {
    if (this.#failed.length > 0) write(`\nFailed files:\n${this.#failed.map((path) => `  ${path}`).join('\n')}`);
    // A file that could not be loaded has no tests to count, and must not pass for that.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    write(`${results.numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  }
}
