/** Ends of an address that belong to the sentence around it. */
const trailing = /[.,;:!?'"’”»)\]}>*_]+$/u;
/** Schemes that lead somewhere although no `//` follows. */
const lead = String.raw`(?:mailto|tel|sms|data|javascript|vbscript|blob|file|ftp):`;
/** A host by itself (docs.example.com/x). The last label in one case only: "the limit.The fee" is two sentences. */
const host = String.raw`(?<![\p{L}\p{N}@._\/-])(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+(?:[a-z]{2,24}|[A-Z]{2,24})(?![\p{L}\p{N}])(?:[\/?#:][^\s<>"]*)?`;

const addresses = [
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+/giu,
  new RegExp(String.raw`(?<![\p{L}\p{N}])${lead}[^\s<>"]+`, 'giu'),
  /(?<![\p{L}\p{N}:/])\/\/[\p{L}\p{N}][^\s<>"]*\.[^\s<>"]+/giu,
  /(?<![\p{L}\p{N}])www\.[^\s<>"]+/giu,
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu,
  new RegExp(host, 'gu'),
];
const markdownTarget = /\]\(\s*<?([^\s)>]*)/g;
/** What a reader's program would fetch or obey by itself. */
const embedded = [/!\[[^\]]{0,300}\]?(?:\([^)]{0,2000}\)?|\[[^\]]{0,300}\]?)?/g, /<\/?[a-zA-Z!][^<>]*>?/g];

/** Plain letters for look-alikes, and nothing that is not seen. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/**
 * The addresses in a text (links with or without a scheme, targets of markdown links, e-mail addresses), each once and in one form: without the
 * scheme of the web, `www.`, case and what ends the sentence.
 */
export function addressesIn(text: string): string[] {
  const from = plain(text);
  const found = addresses.flatMap((pattern) => [...from.matchAll(pattern)].map(([address]) => address));
  const targets = [...from.matchAll(markdownTarget)].map(([, target = '']) => target);
  return [...new Set([...found, ...targets].map(canonical).filter((address) => address !== ''))];
}

function canonical(address: string): string {
  return address
    .replace(/\]\(.*$/s, '')
    .replace(trailing, '')
    .replace(/^https?:\/\//i, '')
    .replace(/^\/\//, '')
    .replace(/^mailto:/i, '')
    .replace(/^www\./i, '')
    .replace(/\/$/, '')
    .toLowerCase();
}

/** Images and tags in a text, as written. */
export function embeddedIn(text: string): string[] {
  const from = plain(text);
  return embedded.flatMap((pattern) => [...from.matchAll(pattern)].map(([mark]) => mark.trim()));
}
