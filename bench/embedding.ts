/** Speed of the local embedding model: batches against one by one, a question's latency, memory. */
import { availableParallelism, loadavg } from 'node:os';
import { loadSettings } from '../launcher/settings.ts';
import { createReport } from './report.ts';
import { batchRatio, freshPassages, freshText, freshTexts } from './support/embedding-speed.ts';
import { openLocalModel } from './support/local-model.ts';
import { elapsed, median } from './support/statistics.ts';

const report = createReport('embedding');
const cores = availableParallelism();
const [load = 0] = loadavg();
if (load > cores / 2) {
  report.note(`Other programs keep the processor busy: a batch cannot be faster than the cores left to it.`);
}

const megabytes = () => process.memoryUsage.rss() / 1e6;
const model = await openLocalModel(loadSettings(process.env));

async function questionTimes(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const question = freshText(12);
    times.push(await elapsed(() => model.embedQuery(question)));
  }
  return times;
}

await questionTimes(20);
report.add('question of 12 words, p50 ms', median(await questionTimes(200)), { atMost: 15 });

// Starts the further threads, which a long ingestion finds running too.
await model.embedPassages(freshTexts(100, [90, 150]));
const before = megabytes();
const figure = (texts: string) => `${texts}, batch / one by one, ${cores} cores`;
report.add(figure('passages with their sentences'), await batchRatio(model, () => freshPassages(8)), { atLeast: 2 });
report.add(figure('sentences of 8–30 words'), await batchRatio(model, () => freshTexts(200, [8, 30])), { atLeast: 2 });
report.add(
  figure('passages of 90–150 words alone'),
  await batchRatio(model, () => freshTexts(60, [90, 150])),
  'reported',
);
report.add('memory with all threads, MB', megabytes(), { atMost: 500 });
report.add('memory growth over the batches, MB', megabytes() - before, { atMost: 50 });
await model.close();
await report.finish();
