import { openModel } from './local-model.ts';

/** Run as a process: embeds one text and ends by itself. */
const model = await openModel(1);
await model.embedQuery('How long is the warranty?');
await model.close();
