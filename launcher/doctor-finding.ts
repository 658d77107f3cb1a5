/** What one check found; `remedy` is there whenever `ok` is false. */
export type Finding = { check: string; ok: boolean; detail: string; remedy?: string };

export type Outcome = Omit<Finding, 'check'>;
