import { type Finding, matchesOf } from './finding.ts';

const secretPatterns = [
  /-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE)[A-Z ]*-----[^]*?(?:-----END [A-Z ]*-----|$)/g,
  // JSON web tokens.
  /(?<![\p{L}\p{N}])eyJ[\w-]{8,}(?:\.[\w-]*){0,2}/gu,
  // Prefixes that issuers give their keys, so that they can be found.
  /(?<![\p{L}\p{N}])(?:(?:sk|pk|rk|tvly|xox[abeprs]|gh[opsru]|github_pat|glpat|hf|npm|whsec|sq0[a-z]{3}|shp(?:at|ca|pa|ss))[-_][\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]+|SG\.[\w-]{10,}\.[\w-]+)/gu,
  // With the word that names it: alone, that word would name what follows.
  /(?<![\p{L}\p{N}])(?:api[\s_-]?key|access[\s_-]?key|client[\s_-]?secret|private[\s_-]?key|secret|token|password|passwort|passwd|passphrase|pwd|pin|auth(?:orization)?|bearer|otp)\s*(?:[:=]|(?:is|was)(?=\s+\S*\d))\s*(?:bearer\s+)?[^\s,;]+/giu,
  /(?<![\p{L}\p{N}])bearer\s+[\w.~+/-]{8,}=*/giu,
  // Addresses with a password in them, whole.
  /(?<![\p{L}\p{N}])[a-z][a-z\d+.-]{0,20}:\/\/[^\s/@:]{1,64}:[^\s/@]{1,64}@\S*/giu,
  // Names of sessions, devices and records.
  /(?<![\p{L}\p{N}])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\p{L}\p{N}])/giu,
];
/** From this length on, letters and digits mixed without a break are a key or a digest, not a part number. */
const mixedRun = /(?<![\p{L}\p{N}])[A-Za-z\d]{20,}(?![\p{L}\p{N}])={0,2}/gu;

/** Passwords, keys, tokens, and what looks like one. */
export function secrets(text: string): Finding[] {
  const mixed = matchesOf(text, 'secret', mixedRun).filter(({ start, end }) => isMixed(text.slice(start, end)));
  return [...secretPatterns.flatMap((pattern) => matchesOf(text, 'secret', pattern)), ...mixed];
}

function isMixed(text: string): boolean {
  return (text.match(/\d/g) ?? []).length >= 2 && (text.match(/[A-Za-z]/g) ?? []).length >= 2;
}
