import type { TenantWebRules, WebMode, WebPolicy } from '../contracts/web-policy.ts';
import { domainAllowed, type DomainRules } from './url-rules.ts';

const strictness: Record<WebMode, number> = { allowed: 0, ask: 1, never: 2 };

export interface WebRules {
  mode: WebMode;
  domains: DomainRules;
  patterns: string[];
  names: string[];
}

/** Policy and tenant together: the stricter mode, everything that either holds private, and only domains that both allow. */
export function combinedWebRules(policy: WebPolicy, tenant: TenantWebRules): WebRules {
  const domains = bothAllow(policy.domains, tenant.domains);
  const stricter = strictness[tenant.mode] > strictness[policy.mode] ? tenant.mode : policy.mode;
  return {
    mode: domains === null ? 'never' : stricter,
    domains: domains ?? { allowed: [], blocked: [] },
    patterns: [...policy.private.patterns, ...tenant.private.patterns],
    names: [...policy.private.names, ...tenant.private.names],
  };
}

/** Null when no domain is left: an empty list of allowed ones would mean all. */
function bothAllow(a: DomainRules, b: DomainRules): DomainRules | null {
  const blocked = [...new Set([...a.blocked, ...b.blocked])];
  if (a.allowed.length === 0 || b.allowed.length === 0) return { allowed: [...a.allowed, ...b.allowed], blocked };
  const below = (names: string[], rules: DomainRules) =>
    names.filter((name) => domainAllowed(name, { allowed: rules.allowed, blocked: [] }));
  const allowed = [...new Set([...below(a.allowed, b), ...below(b.allowed, a)])];
  return allowed.length === 0 ? null : { allowed, blocked };
}
