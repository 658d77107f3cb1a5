import type { estypes } from '@elastic/elasticsearch';

/** The client's own type of a query lets it be undefined, which its requests then refuse. */
export type Query = NonNullable<estypes.QueryDslQueryContainer>;
