import type { EmbeddingModel } from '../../adapters/models/port.ts';
import { choices, modelsAt, noModels } from '../../test/activities/model-steps.ts';
import { injections, marks } from '../../test/injection/cases.ts';
import { openInjectionHouse } from '../../test/injection/injection-house.ts';
import { obey } from '../../test/injection/obeying-model.ts';
import { startProviderServer } from '../../test/support/provider-server/start-provider-server.ts';

/** How many attacks of the set leave a mark in what a reader gets, with the offline models or with one that obeys. */
export async function obeyedInjections(embedding: EmbeddingModel): Promise<{ obeyed: number; of: number }> {
  const server = await startProviderServer({ respond: obey });
  const obeyed = new Set<string>();
  try {
    for (const player of [null, choices.openai]) {
      const house = await openInjectionHouse({ embedding, models: player ? modelsAt(server) : noModels });
      try {
        for (const attack of injections) {
          const told = await house.run(attack, player);
          if (marks.test(JSON.stringify(told))) obeyed.add(`${attack.place}: ${attack.name}`);
        }
      } finally {
        await house.close();
      }
    }
  } finally {
    await server.close();
  }
  return { obeyed: obeyed.size, of: injections.length };
}
