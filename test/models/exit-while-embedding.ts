import { openModel } from './local-model.ts';

/** Run as a process: ends with status 3 while both threads are inside the model. */
const model = await openModel(2);
const texts = Array.from({ length: 400 }, (_, n) => `${'A late return costs a part of the deposit. '.repeat(40)} ${n}`);
model.embedPassages(texts).catch(() => process.exit(4));
setTimeout(() => process.exit(3), 600);
