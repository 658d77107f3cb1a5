import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { attributeTypes } from '../../launcher/search-attributes.ts';
import { ensureTestServer } from '../../launcher/temporal-binary.ts';
import { typeNumbers } from '../../launcher/temporal-ready.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import { quietTemporalCli } from './quiet-temporal.ts';

/** The SDK tells only errors; once a process, before the first connection. */
export function quietRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}

/** Temporal's test server, in which timers fire at once while no step is under way. */
export async function timeSkippingServer(): Promise<TestWorkflowEnvironment> {
  const path = await ensureTestServer();
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  // It cannot list them, so those that are missing cannot be asked for.
  const numbers = Object.entries(attributeTypes()).map(([name, type]) => [name, typeNumbers[type]]);
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(numbers),
  });
  return env;
}

/** The real dev server, in memory. */
export async function devServer(): Promise<TestWorkflowEnvironment> {
  const path = await quietTemporalCli();
  return TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path }, searchAttributes: Object.values(searchAttributes) },
  });
}
