import type { Settings } from './settings.ts';
import type { TemporalCli } from './temporal-binary.ts';
import { startTemporalServer, type TemporalServer, type TemporalServerOptions } from './temporal-server.ts';

const restartsAllowed = 5;
const withinMs = 60_000;

export interface SupervisedTemporal {
  stop(): Promise<void>;
}

/**
 * The embedded Temporal server, started again when it dies: its database holds every run, and worker and API reconnect by themselves.
 * `onLost` is called when it cannot be kept up: more than five deaths in a minute, or a failed start.
 */
export async function superviseTemporal(
  settings: Settings,
  options: {
    cli: TemporalCli;
    searchAttributes: TemporalServerOptions['searchAttributes'];
    say: (line: string) => void;
    onLost: (error: unknown) => void;
  },
): Promise<SupervisedTemporal> {
  const deaths: number[] = [];
  let stopping = false;
  let server: TemporalServer | null = null;
  let restarting: Promise<void> = Promise.resolve();

  const start = async () => {
    server = await startTemporalServer({
      cli: options.cli,
      dataDir: settings.dataDir,
      port: settings.temporal.port,
      uiPort: settings.temporal.uiPort,
      namespace: settings.temporal.namespace,
      searchAttributes: options.searchAttributes,
      onExit: ({ how, logTail }) => {
        if (stopping) return;
        const now = Date.now();
        deaths.push(now);
        const recent = deaths.filter((at) => now - at < withinMs).length;
        if (recent > restartsAllowed) {
          options.onLost(
            new Error(`the Temporal server died ${recent} times within a minute, last with ${how}\n${logTail}`),
          );
          return;
        }
        options.say(`The Temporal server ended (${how}); starting it again. Runs go on from where they were.`);
        restarting = start().catch(options.onLost);
      },
    });
  };
  await start();
  return {
    stop: async () => {
      stopping = true;
      await restarting;
      await server?.stop();
    },
  };
}
