import { createServer } from 'node:net';
import { LauncherError, systemCode } from './errors.ts';
import type { Settings } from './settings.ts';

export type PortUse = {
  port: number;
  host: string;
  /** What listens there, for the message: "the API". */
  purpose: string;
  /** The setting that moves it. */
  setting: string;
};

export const temporalPorts = {
  server: { host: '127.0.0.1', purpose: 'the Temporal server', setting: 'PLUMBLINE_TEMPORAL_PORT' },
  ui: { host: '127.0.0.1', purpose: 'the Temporal UI', setting: 'PLUMBLINE_TEMPORAL_UI_PORT' },
};

/** Where the API listens. */
export function apiPort({ host, port }: Settings): PortUse {
  return { port, host, purpose: 'the API', setting: 'PLUMBLINE_PORT' };
}

/** Where a worker of its own tells its health, or null. */
export function workerPort({ host, workerPort: port }: Settings): PortUse | null {
  return port === null ? null : { port, host, purpose: "the worker's health", setting: 'PLUMBLINE_WORKER_PORT' };
}

/** The ports that a start of Plumbline with these settings listens on. */
export function portUses(settings: Settings): PortUse[] {
  const api = apiPort(settings);
  if (settings.temporal.external) return [api];
  const { port, uiPort } = settings.temporal;
  return [api, { ...temporalPorts.server, port }, { ...temporalPorts.ui, port: uiPort }];
}

/**
 * Proves that a port can be listened on, by doing so for an instant.
 * @throws LauncherError `Port.Taken`, or `Port.NotAllowed` (privileged port, or an address that this machine does not have)
 */
export async function requireFreePort(use: PortUse): Promise<void> {
  try {
    await listenOnce(use.port, use.host);
  } catch (error) {
    throw portError(use, error);
  }
}

/** The message for a failed listen, also for the server that listens in earnest a moment later. */
export function portError(use: PortUse, error: unknown): unknown {
  const at = `Port ${use.port} on ${use.host} for ${use.purpose}`;
  const code = systemCode(error);
  if (code === 'EADDRINUSE') {
    return new LauncherError('Port.Taken', `${at} is taken by another program.`, {
      remedy: `Stop that program, or set ${use.setting} to another port.`,
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    const why =
      code === 'EACCES' ? 'is not allowed to this user' : 'cannot be had: this machine does not have that address';
    return new LauncherError('Port.NotAllowed', `${at} ${why}.`, {
      remedy:
        code === 'EACCES'
          ? `Set ${use.setting} to a port from 1024 up.`
          : 'Set PLUMBLINE_HOST to an address of this machine.',
      cause: error,
    });
  }
  return error;
}

/** A port that is free now, chosen by the system. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return listenOnce(0, host);
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : port));
    });
  });
}
