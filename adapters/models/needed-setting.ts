import type { ModelChoice, Provider } from '../../domain/contracts/models.ts';
import { pairKinds, type PairKind } from './local/pair-kinds.ts';

const ofProvider: Record<Exclude<Provider, 'local'>, string> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-compatible': 'OPENAI_COMPATIBLE_BASE_URL',
};

/** The environment variable without which this model cannot be used; null where it needs none. */
export function neededSetting({ provider, model }: Pick<ModelChoice, 'provider' | 'model'>): string | null {
  if (provider !== 'local') return ofProvider[provider];
  return isPairKind(model) ? pairKinds[model].setting : null;
}

export function isPairKind(model: string): model is PairKind {
  return Object.hasOwn(pairKinds, model);
}
