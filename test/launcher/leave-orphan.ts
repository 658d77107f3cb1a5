// Starts the Temporal server in a data folder and prints its pid; whoever kills this process with -9 leaves the server alone in the world.
import { freePort } from '../../launcher/ports.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli } from '../../launcher/temporal-binary.ts';
import { startTemporalServer } from '../../launcher/temporal-server.ts';

const [dataDir = ''] = process.argv.slice(2);
const server = await startTemporalServer({
  cli: await ensureTemporalCli(loadSettings(process.env)),
  dataDir,
  port: await freePort(),
  uiPort: await freePort(),
  namespace: 'default',
  searchAttributes: {},
  onExit: () => undefined,
});
console.log(server.pid);
process.stdin.resume();
