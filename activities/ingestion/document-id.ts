import { hashText } from './hash.ts';

const longest = 200;

/**
 * The id of a document that brings none: its name with what an id may not hold replaced by "-". Where that loses anything, eight digits of the
 * name's hash keep two names from meaning one document.
 */
export function documentIdFromName(name: string): string {
  const wanted = name.normalize('NFC');
  const slug = wanted.replace(/[^\p{L}\p{N}._/-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  if (slug === wanted && slug !== '' && slug.length <= longest) return slug;
  const digits = hashText(wanted).slice(0, 8);
  const kept = slug.slice(0, longest - digits.length - 1).replace(/[\ud800-\udbff]$/, '');
  return kept === '' ? digits : `${kept}-${digits}`;
}
