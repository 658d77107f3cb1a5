import type { Store } from './store.ts';

/** Whether all our indices have all their primary shards. Yellow (a replica is missing) is well: nothing is lost or unreadable. */
export async function health(store: Store): Promise<{ ok: boolean; detail: string }> {
  const {
    status,
    number_of_nodes: nodes,
    unassigned_primary_shards: missing,
  } = await store.client.cluster.health({
    index: Object.values(store.alias),
    timeout: '1s',
  });
  const detail = `Elasticsearch is ${status}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
  return status === 'red'
    ? { ok: false, detail: `${detail}, ${missing} primary shards are missing` }
    : { ok: true, detail };
}
