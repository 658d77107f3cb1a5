import type { SQLInputValue } from 'node:sqlite';
import type { Access } from '../../../domain/contracts/access.ts';
import type { SearchQuery } from '../port.ts';

/** A condition on `versions AS v`, with its values in order. */
export interface Condition {
  sql: string;
  values: SQLInputValue[];
}

/** Live versions of the tenant whose groups are empty or share one with the asker. */
export function readableBy(access: Access): Condition {
  return {
    sql: `v.tenant_id = (SELECT id FROM tenants WHERE name = ?) AND v.state = 'live'
      AND (v.restricted = 0 OR EXISTS (SELECT 1 FROM version_groups g
        WHERE g.version_id = v.id AND g.name IN (SELECT value FROM json_each(?))))`,
    values: [access.tenant, JSON.stringify(access.groups)],
  };
}

/** Those of them that a search may use: status, validity on the day, and tags or documents if given (any of each list). */
export function searchableBy(access: Access, query: SearchQuery): Condition {
  const condition = readableBy(access);
  const conditions = [
    condition.sql,
    'v.status IN (SELECT value FROM json_each(?))',
    '(v.effective_from IS NULL OR v.effective_from <= ?)',
    '(v.effective_to IS NULL OR v.effective_to >= ?)',
  ];
  const values = [...condition.values, JSON.stringify(query.statuses), query.asOf, query.asOf];
  if (query.tags) {
    conditions.push(
      'EXISTS (SELECT 1 FROM version_tags t WHERE t.version_id = v.id AND t.name IN (SELECT value FROM json_each(?)))',
    );
    values.push(JSON.stringify(query.tags));
  }
  if (query.documentIds) {
    conditions.push('v.document_id IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(query.documentIds));
  }
  return { sql: conditions.join(' AND '), values };
}
