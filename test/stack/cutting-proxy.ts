import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

export interface CuttingProxy {
  url: string;
  close(): Promise<void>;
}

/** Stands in front of a server: requests get through, and the connection is torn down when the answer begins. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => client.destroy());
    upstream.once('data', () => {
      client.resetAndDestroy();
      upstream.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
