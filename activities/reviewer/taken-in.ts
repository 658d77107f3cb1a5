import type { WebPage } from '../../adapters/web/port.ts';

/** What a reviewer gave, as a page to be kept, with what was lost on the way; or why it cannot be used and what to do about it. */
export type TakenIn = { page: WebPage; losses: string[] } | { refusal: string };
