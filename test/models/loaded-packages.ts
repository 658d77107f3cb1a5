import { registerHooks } from 'node:module';
import type { ModelProvidersConfig } from '../../adapters/models/providers.ts';

/** Run as a process with a configuration as argument: prints which of the heavy packages were loaded for it. */
const heavy = ['openai', '@anthropic-ai/sdk', 'gpt-tokenizer', 'onnxruntime-node'];
const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    for (const name of heavy) if (url.includes(`/node_modules/${name}/`)) loaded.add(name);
    return next(url, context);
  },
});
const { createModelProviders } = await import('../../adapters/models/providers.ts');
const providers = await createModelProviders(JSON.parse(process.argv[2] ?? '') as ModelProvidersConfig);
await providers.close();
process.stdout.write(JSON.stringify([...loaded].sort()));
