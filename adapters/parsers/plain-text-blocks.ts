import type { DocumentBuilder } from './document-builder.ts';

const bullet = /^\s*(?:[-*+•‣◦▪–—·]|o(?= {2,}))\s+(?=\S)/u;
const numbered = /^\s*(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]{1,5}[.)])\s+\S/i;
/** An identifier (upper-case letters, digits and joints, at least one digit) and then, set apart, what it means. */
const coded = /^\s*(?=\S*\d)[A-Z0-9][A-Z0-9]*(?:[-/._][A-Za-z0-9]+)*(?: {2,}| ?[:=–—-] |: )\S/u;
const underline = /^ {0,3}(=|-|~|\*){3,}\s*$/;
const rule = /^\s*([-=_*~#])(?:\s*\1){2,200}\s*$/;
const clause = /^\s*(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+\p{Lu}[^.!?;:,]{1,70}$/u;

/** Adds the blocks of plain text given as normalised lines: paragraphs between empty lines, lists, headings that are unmistakable. */
export function addPlainText(lines: readonly string[], builder: DocumentBuilder): void {
  const groups: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() !== '') groups.at(-1)?.push(line);
    else if (groups.at(-1)?.length !== 0) groups.push([]);
  }
  for (const [index, group] of groups.entries()) {
    const [first] = group;
    const next = groups[index + 1] ?? [];
    if (index === 0 && first !== undefined && group.length > 1 && isCapitals(first)) {
      builder.heading(first, 1);
      addGroup(group.slice(1), builder);
    } else if (first !== undefined && group.length === 1 && isCaption(first, next)) {
      builder.heading(first, 2);
    } else {
      addGroup(group, builder);
    }
  }
}

/** A short line alone, without the end of a sentence, over a paragraph of some length or a list. */
function isCaption(line: string, next: readonly string[]): boolean {
  const text = line.trim();
  if (
    !/^\p{Lu}/u.test(text) ||
    !/\p{Ll}{2}/u.test(text) ||
    text.length > 60 ||
    text.split(/\s+/).length > 8 ||
    /[.!:;,…]$|\d{3}/.test(text)
  )
    return false;
  const below = next.join(' ');
  return below.length >= 100 || (next.length > 1 && next.every((item) => startsItem(item) || coded.test(item)));
}

/** A group is a run of lines without an empty one: at most a heading on top, then paragraphs or a list. */
function addGroup(lines: readonly string[], builder: DocumentBuilder): void {
  const [first, second] = lines;
  if (first === undefined) return;
  if (rule.test(first)) {
    addGroup(lines.slice(1), builder);
  } else if (second !== undefined && isUnderlined(first, second)) {
    builder.heading(first, second.trim().startsWith('=') ? 1 : 2);
    addGroup(lines.slice(2), builder);
  } else if (lines.length === 1 && isCapitals(first)) {
    builder.heading(first, 2);
  } else if (lines.length === 1 && clause.test(first)) {
    builder.heading(first, 1 + (clause.exec(first)?.[1] ?? '').split('.').length);
  } else if (lines.length > 1 && lines.filter((line) => coded.test(line)).length > lines.length / 2) {
    addItems(lines, coded, builder);
  } else if (lines.some((line, index) => startsItem(line) && (index === 0 || lines.length > 1))) {
    addList(lines, builder);
  } else {
    addParagraph(lines, builder);
  }
}

function isUnderlined(title: string, line: string): boolean {
  return (
    underline.test(line) &&
    !rule.test(title) &&
    title.trim().length <= 100 &&
    line.trim().length >= Math.min(3, title.trim().length)
  );
}

function isCapitals(line: string): boolean {
  const letters = line.match(/\p{L}/gu) ?? [];
  const words = line.match(/\p{L}{2,}/gu) ?? [];
  return (
    letters.length >= 4 &&
    words.length > 0 &&
    line.trim().length <= 80 &&
    !/\p{Ll}/u.test(line) &&
    /\p{Lu}{4}/u.test(line) &&
    !/[.!?;,]\s*$|\d{3}/.test(line)
  );
}

function startsItem(line: string): boolean {
  return bullet.test(line) || numbered.test(line);
}

/** Lines before the first item are a paragraph; a line that starts no item goes on with the one above. */
function addList(lines: readonly string[], builder: DocumentBuilder): void {
  const start = lines.findIndex(startsItem);
  addParagraph(lines.slice(0, start), builder);
  builder.endGroup();
  let item: string[] = [];
  const endItem = (): void => {
    builder.item(item.join('\n').replace(bullet, ''));
    item = [];
  };
  for (const line of lines.slice(start)) {
    if (startsItem(line) && item.length > 0) endItem();
    item.push(line);
  }
  endItem();
}

function addItems(lines: readonly string[], starts: RegExp, builder: DocumentBuilder): void {
  const items: string[][] = [];
  for (const line of lines) {
    const last = items.at(-1);
    if (last !== undefined && !starts.test(line) && /^\s/.test(line)) last.push(line);
    else items.push([line]);
  }
  builder.endGroup();
  for (const item of items) {
    const text = item.join('\n');
    if (starts.test(text)) builder.item(text);
    else builder.paragraph(text);
  }
}

function addParagraph(lines: readonly string[], builder: DocumentBuilder): void {
  builder.paragraph(lines.filter((line) => !rule.test(line)).join('\n'));
}
