import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Closers } from './closers.ts';
import { portError, type PortUse } from './ports.ts';

/** How long open requests and event streams may take to end by themselves when the server closes. */
const lastWordsMs = 1000;

/**
 * Serves HTTP on an address of this machine and returns its URL; port 0 takes any free one.
 * @throws LauncherError `Port.Taken`, `Port.NotAllowed`
 */
export async function listen(
  app: RequestListener,
  { use, closers }: { use: PortUse; closers: Closers },
): Promise<string> {
  const server = createServer(app);
  const { host, port, purpose } = use;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portError(use, error)));
    server.listen(port, host, resolve);
  });
  closers.add(purpose, async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const cut = setTimeout(() => server.closeAllConnections(), lastWordsMs);
    await closed;
    clearTimeout(cut);
  });
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}
