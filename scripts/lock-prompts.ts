import { readFile, writeFile } from 'node:fs/promises';
import { lockOf, promptLockSchema, unraised } from '../prompts/lock.ts';
import { loadPrompts } from '../prompts/load.ts';

// Writes prompts/versions.json anew after a prompt's text and version were changed; refuses a changed text whose version was not raised.
const file = new URL('../prompts/versions.json', import.meta.url);
const prompts = Object.values(await loadPrompts());
const lock = promptLockSchema.parse(JSON.parse(await readFile(file, 'utf8')));
const refused = unraised(prompts, lock);
if (refused.length > 0) {
  console.error(
    `The text of these prompts changed, but not their version: ${refused.join(', ')}. Raise it in the file.`,
  );
  process.exitCode = 1;
} else {
  await writeFile(file, `${JSON.stringify(lockOf(prompts), null, 2)}\n`);
  console.log(`Locked ${prompts.length} prompts.`);
}
