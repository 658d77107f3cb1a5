import type { Access } from '../../../domain/contracts/access.ts';
import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import type { SearchQuery } from '../port.ts';
import type { Query } from './query.ts';

/** No group has an empty name: it stands for everybody in the tenant. */
const everybody = '';
const earliest = '0000-01-01';
const latest = '9999-12-31';

/** What is stored of the metadata beside a passage or document, so that filters work inside of each leg. */
export interface FilterFields {
  readers: string[];
  status: string;
  tags: string[];
  effectiveFrom: string;
  effectiveTo: string;
}

export function filterFields(metadata: DocumentMetadata): FilterFields {
  return {
    readers: metadata.groups.length > 0 ? metadata.groups : [everybody],
    status: metadata.status,
    tags: metadata.tags,
    effectiveFrom: metadata.effectiveFrom ?? earliest,
    effectiveTo: metadata.effectiveTo ?? latest,
  };
}

/** Of the tenant, and for everybody or for one of the asker's groups. */
export function readableBy(access: Access): Query[] {
  return [{ term: { tenant: access.tenant } }, { terms: { readers: [everybody, ...access.groups] } }];
}

/** Those of them that a search may use: status, validity on the day, and tags or documents if given (any of each list). */
export function searchableBy(access: Access, query: SearchQuery): Query[] {
  return [
    ...readableBy(access),
    { terms: { status: query.statuses } },
    { range: { effectiveFrom: { lte: query.asOf } } },
    { range: { effectiveTo: { gte: query.asOf } } },
    ...(query.tags ? [{ terms: { tags: query.tags } }] : []),
    ...(query.documentIds ? [{ terms: { documentId: query.documentIds } }] : []),
  ];
}

export function mayRead(access: Access, metadata: DocumentMetadata): boolean {
  return metadata.groups.length === 0 || metadata.groups.some((group) => access.groups.includes(group));
}

/** The same as `searchableBy`, asked of the registry, for a change that has not reached the passages yet. */
export function maySearch(access: Access, query: SearchQuery, metadata: DocumentMetadata): boolean {
  const { effectiveFrom, effectiveTo } = filterFields(metadata);
  return (
    mayRead(access, metadata) &&
    query.statuses.includes(metadata.status) &&
    effectiveFrom <= query.asOf &&
    effectiveTo >= query.asOf &&
    (query.tags === undefined || query.tags.some((tag) => metadata.tags.includes(tag)))
  );
}
