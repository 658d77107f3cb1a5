// Runs the Elasticsearch of the tests by hand: node test/elasticsearch/run-elasticsearch.ts DATA_DIR [PORT]
import { once } from 'node:events';
import { startElasticsearch } from './start-elasticsearch.ts';

const [dataDir, port = '9200'] = process.argv.slice(2);
if (!dataDir || !/^\d+$/.test(port)) {
  console.error('usage: node test/elasticsearch/run-elasticsearch.ts DATA_DIR [PORT]');
  process.exit(2);
}
const server = await startElasticsearch({ dataDir, port: Number(port), lasting: true });
console.log(`Elasticsearch serves at ${server.url}, its log is ${server.logFile}; Ctrl-C stops it.`);
const keepRunning = setInterval(() => undefined, 60_000);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
clearInterval(keepRunning);
await server.stop();
