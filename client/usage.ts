import type { Client } from '@temporalio/client';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { callTemporal } from './temporal-calls.ts';

export interface UsageSum {
  /** Questions; one whose run was resumed counts once. */
  runs: number;
  /** US dollars, to the millionth. Calls of models without a known price add nothing. */
  costUsd: number;
}

/** What the model calls of a tenant's questions cost that were asked from `since` up to `until`. */
export interface UsageReport extends UsageSum {
  tenant: string;
  since: string;
  until: string;
  /** The dearest first. */
  byPolicy: (UsageSum & { policy: string })[];
  /** By the day of asking, in UTC, oldest first. Days without a question are left out. */
  byDay: (UsageSum & { day: string })[];
}

type Sum = { runs: number; microUsd: number };

/** The most that Temporal gives in one page. */
const pageSize = 1000;

/** Sums what runs have noted in their search attributes, those under way included. Visibility lags behind by up to a second or so. */
export async function sumUsage(
  client: Client,
  { tenant, since, until }: { tenant: string; since: Date; until: Date },
): Promise<UsageReport> {
  const total: Sum = { runs: 0, microUsd: 0 };
  const policies = new Map<string, Sum>();
  const days = new Map<string, Sum>();
  for (const { microUsd, policy, day } of (await billsOf(client, { tenant, since, until })).values()) {
    for (const sum of [total, entry(policies, policy), entry(days, day)]) {
      sum.runs += 1;
      sum.microUsd += microUsd;
    }
  }
  const byPolicy = [...policies].map(([policy, sum]) => ({ policy, ...shown(sum) }));
  const byDay = [...days].map(([day, sum]) => ({ day, ...shown(sum) }));
  return {
    tenant,
    since: since.toISOString(),
    until: until.toISOString(),
    ...shown(total),
    byPolicy: byPolicy.toSorted((a, b) => b.costUsd - a.costUsd || b.runs - a.runs),
    byDay: byDay.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

interface Bill {
  microUsd: number;
  policy: string;
  day: string;
}

/**
 * By question. A run that was resumed has what it had paid before on its bill again, so of a question's runs the dearest counts: what it paid in vain
 * for the steps that were done anew is left out.
 */
async function billsOf(
  client: Client,
  asked: { tenant: string; since: Date; until: Date },
): Promise<Map<string, Bill>> {
  const bills = new Map<string, Bill>();
  for await (const { workflowId, startTime, typedSearchAttributes } of runsOf(client, asked)) {
    const microUsd = typedSearchAttributes.get(searchAttributes.costMicroUsd) ?? 0;
    const policy = typedSearchAttributes.get(searchAttributes.policy) ?? 'unknown';
    const day = startTime.toISOString().slice(0, 10);
    const other = bills.get(workflowId) ?? { microUsd: 0, day };
    bills.set(workflowId, {
      policy,
      microUsd: Math.max(microUsd, other.microUsd),
      day: day < other.day ? day : other.day,
    });
  }
  return bills;
}

/** Each page is a call of its own with its own deadline. */
async function* runsOf(client: Client, { tenant, since, until }: { tenant: string; since: Date; until: Date }) {
  // Tenant names are checked words, so they need no escaping.
  const query = [
    `WorkflowType = 'answerQuestion'`,
    `${searchAttributes.tenant.name} = '${tenant}'`,
    `StartTime >= '${since.toISOString()}'`,
    `StartTime < '${until.toISOString()}'`,
  ].join(' AND ');
  const runs = client.workflow.list({ query, pageSize })[Symbol.asyncIterator]();
  for (;;) {
    const next = await callTemporal(client, () => runs.next());
    if (next.done) return;
    yield next.value;
  }
}

function entry(sums: Map<string, Sum>, key: string): Sum {
  const sum = sums.get(key) ?? { runs: 0, microUsd: 0 };
  sums.set(key, sum);
  return sum;
}

function shown({ runs, microUsd }: Sum): UsageSum {
  return { runs, costUsd: microUsd / 1e6 };
}
