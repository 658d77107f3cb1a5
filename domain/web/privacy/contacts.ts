import { type Finding, matchesOf } from './finding.ts';

/** The local part is bounded: without an @ near, a long word is not scanned again from each of its letters. */
const emails = [
  /[^\s@<>()",;:]{1,64}(?:@|%40)[\p{L}\p{N}][\p{L}\p{N}.-]*/giu,
  /[\p{L}\p{N}._%+-]{1,64}\s?(?:@|[[(]\s?at\s?[\])])\s?[\p{L}\p{N}-]+(?:\s?(?:\.|[[(]\s?dot\s?[\])])\s?[\p{L}\p{N}-]{2,})+/giu,
];

const phones = [
  /\+\s?\d(?:[\s()./-]{0,2}\d){6,14}/g,
  /(?<!\d[\s.,]?)00\d(?:[\s()./-]?\d){7,13}(?!\d)/g,
  /(?<![\p{L}\p{N}.,/-]|\d\s)\(?0\)?\d{1,5}\)?(?:[\s/.-]\d{2,}){1,5}(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}-])(?:1[-.\s])?(?:\(\d{3}\)\s?|\d{3}[-.\s])\d{3}[-.\s]\d{4}(?![\p{N}-])/gu,
  /(?<![\p{L}])(?:tel|telephone|phone|fon|telefon|fax|mobile|cell|call|ring|handy|sms|whatsapp)\b[.:\s]*(?:(?:me|us|him|her|them|at|on|under|number|no\.?|is)[.:\s]+)*(?<value>\(?\d[\d\s()./-]{4,}\d)/giu,
];
const date = /^\(?\d{1,2}[-/.\s]\d{1,2}[-/.\s]\d{2,4}$/;
const phoneDigits = { min: 6, max: 15 };

/** E-mail addresses, also written with "[at]", and phone numbers. The text's digits must be ASCII. */
export function contacts(text: string): Finding[] {
  const found = phones.flatMap((pattern) => matchesOf(text, 'phone', pattern));
  return [
    ...emails.flatMap((pattern) => matchesOf(text, 'email', pattern)),
    ...found.filter(({ start, end }) => isPhone(text.slice(start, end))),
  ];
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return digits >= phoneDigits.min && digits <= phoneDigits.max && !date.test(text);
}
