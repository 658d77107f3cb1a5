import sax from 'sax';
import { ParseError } from './port.ts';

/** An XML element. `name` is without its prefix, `prefixed` and the names of attributes are as written. */
export interface XmlElement {
  name: string;
  prefixed: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

export interface XmlEvents {
  open?: (name: string, attributes: Record<string, string>, prefixed: string) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads XML as events. No document type is allowed, so no entity can be declared, let alone expanded. Throws `Document.Corrupt`. */
export function scanXml(bytes: Uint8Array, events: XmlEvents): void {
  const parser = sax.parser(true);
  parser.ondoctype = () => {
    throw new ParseError(
      'Document.Corrupt',
      'A part of the document declares a document type, which is not allowed there.',
    );
  };
  parser.onerror = (cause) => {
    throw new ParseError('Document.Corrupt', 'A part of the document is not valid XML.', { cause });
  };
  parser.onopentag = (tag) => events.open?.(localName(tag.name), tag.attributes as Record<string, string>, tag.name);
  parser.ontext = (text) => events.text?.(text);
  parser.oncdata = (text) => events.text?.(text);
  parser.onclosetag = (name) => events.close?.(localName(name));
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let start = 0; start < bytes.length; start += 65_536) {
    parser.write(decoder.decode(bytes.subarray(start, start + 65_536), { stream: true }));
  }
  parser.write(decoder.decode());
  parser.close();
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Reads XML as a tree and gives its root element. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const root: XmlElement = { name: '', prefixed: '', attributes: {}, children: [] };
  const open: XmlElement[] = [root];
  scanXml(bytes, {
    open: (name, attributes, prefixed) => {
      const element: XmlElement = { name, prefixed, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text: (text) => open.at(-1)?.children.push(text),
    close: () => open.pop(),
  });
  const first = elementsOf(root)[0];
  if (first === undefined) throw new ParseError('Document.Corrupt', 'A part of the document is empty.');
  return first;
}

export function elementsOf(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== 'string');
}

/** The first child element down a path of names. */
export function childAt(element: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  let current = element;
  for (const name of names)
    current = current === undefined ? undefined : elementsOf(current).find((child) => child.name === name);
  return current;
}

/** All descendants of a name, in document order, not looking inside a match. */
export function findXml(element: XmlElement, ...names: string[]): XmlElement[] {
  return elementsOf(element).flatMap((child) => (names.includes(child.name) ? [child] : findXml(child, ...names)));
}

/** An attribute by its name without a prefix; one without a prefix comes first. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  if (element === undefined) return undefined;
  return element.attributes[name] ?? Object.entries(element.attributes).find(([key]) => localName(key) === name)?.[1];
}

export function xmlText(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : xmlText(child))).join('');
}

/** Whether an on/off attribute or element says on: present and not switched off. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['0', 'false', 'off', 'none'].includes(value);
}

export function serialiseXml(element: XmlElement): string {
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const children = element.children.map((child) =>
    typeof child === 'string' ? escapeXml(child) : serialiseXml(child),
  );
  return `<${element.prefixed}${attributes.join('')}>${children.join('')}</${element.prefixed}>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"\n\r\t]/g, (character) => `&#${character.codePointAt(0)};`);
}
