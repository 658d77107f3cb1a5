import { posix } from 'node:path';
import { Archive } from '../archive.ts';
import { ParseError, type ParseLimits } from '../port.ts';
import { attributeOf, childAt, elementsOf, parseXml, type XmlElement, xmlText } from '../xml.ts';

export type OfficeFormat = 'docx' | 'xlsx' | 'pptx';

export interface Relationship {
  id: string;
  /** Last word of the type's address: `slide`, `worksheet`, `header`, … */
  type: string;
  /** Name of the part it leads to. */
  target: string;
}

/** An Office document: parts of XML in a zip, tied together by relationships (ECMA-376 part 2). */
export interface OfficePackage {
  format: OfficeFormat;
  archive: Archive;
  mainPart: string;
  relationshipsOf(part: string): Promise<Relationship[]>;
  /** A part's root element; throws `Document.Corrupt` if it is missing. */
  xml(part: string): Promise<XmlElement>;
  title(): Promise<string | null>;
}

const mainTypes: [RegExp, OfficeFormat][] = [
  [/wordprocessingml\.(document|template)\.main|ms-word\.(document|template)\.macroEnabled/, 'docx'],
  [/spreadsheetml\.(sheet|template)\.main|ms-excel\.(sheet|template)\.macroEnabled/, 'xlsx'],
  [
    /presentationml\.(presentation|slideshow|template)\.main|ms-powerpoint\.(presentation|slideshow|template)\.macroEnabled/,
    'pptx',
  ],
];

/** Tells which Office document a zip is. Throws `Document.UnknownType` if it is none. */
export async function openOfficePackage(bytes: Uint8Array, limits: ParseLimits): Promise<OfficePackage> {
  const archive = await Archive.open(bytes, limits);
  const xml = async (part: string): Promise<XmlElement> => {
    const content = await archive.read(part);
    if (content === null) throw new ParseError('Document.Corrupt', 'A part that the document refers to is missing.');
    return parseXml(content);
  };
  const relationshipsOf = async (part: string): Promise<Relationship[]> => {
    const content = await archive.read(posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`));
    if (content === null) return [];
    return elementsOf(parseXml(content))
      .filter((relationship) => attributeOf(relationship, 'TargetMode') !== 'External')
      .map((relationship) => ({
        id: attributeOf(relationship, 'Id') ?? '',
        type: (attributeOf(relationship, 'Type') ?? '').split('/').at(-1) ?? '',
        target: resolveTarget(part, attributeOf(relationship, 'Target') ?? ''),
      }));
  };
  if (!archive.names.includes('[Content_Types].xml')) {
    throw new ParseError('Document.UnknownType', 'This is an archive, not a document of a supported type.');
  }
  const types = elementsOf(await xml('[Content_Types].xml'));
  const main = (await relationshipsOf('')).find(({ type }) => type === 'officeDocument')?.target;
  const contentType = types.find((type) => type.name === 'Override' && attributeOf(type, 'PartName') === `/${main}`);
  const found = mainTypes.find(([pattern]) => pattern.test(attributeOf(contentType, 'ContentType') ?? ''));
  if (main === undefined || found === undefined) {
    throw new ParseError('Document.UnknownType', 'This is an archive, not a document of a supported type.');
  }
  const title = async (): Promise<string | null> => {
    const core = (await relationshipsOf('')).find(({ type }) => type === 'core-properties')?.target;
    if (core === undefined || !archive.names.includes(core)) return null;
    const element = childAt(await xml(core), 'title');
    return element === undefined ? null : xmlText(element);
  };
  return { format: found[1], archive, mainPart: main, relationshipsOf, xml, title };
}

function resolveTarget(part: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(part), target);
}
