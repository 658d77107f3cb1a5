/**
 * Taking documents in: thousands of them through the workflow on the embedded stack with the real model, batches of texts against one by one,
 * and what parsers make of real documents (PLUMBLINE_EVAL_DATA).
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDocumentParser } from '../adapters/parsers/index.ts';
import { createReport } from './report.ts';
import { batchRatio, freshPassages, freshTexts } from './support/embedding-speed.ts';
import { dataSet, howToGetData } from './support/eval-data.ts';
import { generateDocuments } from './support/generated-documents.ts';
import { watchMemory } from './support/memory-watch.ts';
import { parsedSimilarity } from './support/parsed-similarity.ts';
import { parseLimits } from './support/parse-limits.ts';
import { readAllPdfs, type PdfOutcomes } from './support/pdf-crashes.ts';
import { startTemporaryStack } from './support/temporary-stack.ts';

const documents = Number(process.env['PLUMBLINE_BENCH_DOCUMENTS'] || 5000);
/** By then threads, parsers and caches are as large as they get. */
const warmShare = 0.1;
const lookEveryMs = 1000;
const nothing: PdfOutcomes = { read: 0, refused: new Map(), crashed: [] };

const report = createReport('ingest');

async function measureIngestion() {
  const stack = await startTemporaryStack((line) => report.note(line));
  try {
    const files = await generateDocuments(join(stack.dataDir, 'documents'), documents);
    const begin = performance.now();
    const run = await stack.plumbline.ingestions.start(stack.principals.owner, { files });
    let done = 0;
    const memory = watchMemory(() => done >= documents * warmShare);
    const ended = run.report();
    while ((await Promise.race([ended.then(() => 'ended'), pause(lookEveryMs)])) !== 'ended') {
      done = (await run.progress())?.done ?? done;
    }
    memory.stop();
    const { counts } = await ended;
    const seconds = (performance.now() - begin) / 1000;
    report.add(`${documents} documents: ready`, counts.ready, { atLeast: documents });
    report.add('documents per second', counts.ready / seconds, 'reported');
    report.add('passages per second', counts.passages / seconds, 'reported');
    report.add(`memory growth after the first ${warmShare * 100} %, MB`, memory.growth(), { atMost: 200 });
    report.add('memory of worker, API, index and parsers, peak MB', memory.peak(), 'reported');

    const { embedding } = stack.adapters;
    await embedding.embedPassages(freshTexts(100, [90, 150]));
    const ratio = await batchRatio(embedding, () => freshPassages(8));
    report.add('embedding of passages with their sentences, batch / one by one', ratio, { atLeast: 2 });
  } finally {
    await stack.stop();
  }
}

async function measureParsers() {
  const parser = createDocumentParser(parseLimits);
  try {
    const docling = dataSet(join('documents', 'docling'));
    if (docling === null) report.missing('docling: text similarity', howToGetData);
    else {
      for (const { format, documents: count, mean, worst } of await parsedSimilarity(parser, docling)) {
        report.note(`docling ${format}: least similar ${worst.name} (${worst.similarity.toFixed(2)})`);
        report.add(`docling ${format}, ${count} documents: text similarity`, mean, 'reported');
      }
    }
    const everything = dataSet('documents');
    const { read, refused, crashed } = everything === null ? nothing : await readAllPdfs(parser, everything);
    const count = read + crashed.length + [...refused.values()].reduce((sum, n) => sum + n, 0);
    if (count === 0) report.missing('PDFs: crashes of the parser', howToGetData);
    else {
      report.note(
        `${count} PDFs: ${read} read, refused: ${[...refused].map(([code, n]) => `${n} ${code}`).join(', ')}`,
      );
      for (const name of crashed) report.note(`  crashed: ${name}`);
      report.add(`${count} PDFs, whole and damaged: crashes of the parser`, crashed.length, { atMost: 0 });
    }
  } finally {
    await parser.close();
  }
}

await measureParsers();
await measureIngestion();
await report.finish();
