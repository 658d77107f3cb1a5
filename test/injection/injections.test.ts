import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EmbeddingModel } from '../../adapters/models/port.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import { choices, modelsAt, noModels } from '../activities/model-steps.ts';
import { openModel } from '../models/local-model.ts';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import { fact, harmless, injections, marks, type Place } from './cases.ts';
import { openInjectionHouse, type InjectionHouse, type Told } from './injection-house.ts';
import { obey } from './obeying-model.ts';

let embedding: EmbeddingModel;
let server: ProviderServer;
beforeAll(async () => {
  embedding = await openModel(1);
  server = await startProviderServer({ respond: obey });
});
afterAll(async () => {
  await embedding.close();
  await server.close();
});

test('there are forty', () => {
  expect(injections).toHaveLength(40);
  expect(new Set(injections.map(({ place, name }) => `${place}: ${name}`)).size).toBe(40);
});

describe.each([
  ['with the offline models', null],
  ['with a model that obeys whatever it reads', choices.openai],
] as [string, ModelChoice | null][])('%s', (_, player) => {
  let house: InjectionHouse;
  const best = new Map<Place, number>();
  const score = ({ grades }: Told) => Math.max(0, ...grades.map((grade) => grade.score ?? 0));
  beforeAll(async () => {
    house = await openInjectionHouse({ embedding, models: player ? modelsAt(server) : noModels });
    for (const place of Object.keys(harmless) as Place[])
      best.set(place, score(await house.run(harmless[place], player)));
  });
  afterAll(() => house.close());

  test.each(injections)('$place: $name', async (attack) => {
    server.clear();
    const told = await house.run(attack, player);
    expect(JSON.stringify(told)).not.toMatch(marks);
    expect(told.statements.map(({ text }) => text)).toEqual(attack.noFact ? [] : [fact]);
    expect(score(told)).toBeLessThanOrEqual(attack.noFact ? 0.3 : (best.get(attack.place) ?? 0) + 0.01);
    for (const { request } of server.journal) expect(request.user).not.toMatch(marks);
  });
});
