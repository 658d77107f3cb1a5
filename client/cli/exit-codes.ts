/** What the commands exit with; told in `--help`. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  withheld: 3,
  unreachable: 4,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesHelp = `
Exit codes:
  0  done; for ask: answered, or partly answered with the limitation printed
  1  failed
  2  wrong usage or refused input
  3  ask: no answer (abstained, a clearer question is needed, denied, or a reviewer is asked first)
  4  Plumbline cannot be reached; start it with: npm start`;
