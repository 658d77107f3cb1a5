import { attributeOf, childAt, elementsOf, findXml, type XmlElement } from '../xml.ts';
import { writtenNumber } from './numerals.ts';

interface Level {
  start: number;
  /** How the number is written: decimal, upperRoman, bullet, … */
  format: string;
  /** "%1.%2" stands for the numbers of levels 1 and 2. */
  text: string;
}

interface Definition {
  abstractId: string;
  levels: Map<number, Level>;
  restarts: Map<number, number>;
}

interface Style {
  basedOn: string | undefined;
  numId: string | undefined;
  level: number | undefined;
  heading: boolean;
}

/**
 * The numbers that Word prints before headings and clauses ("4.2", "Article 3", "(b)"), by paragraph. They stand nowhere in the text, yet
 * people ask for clauses by them. Plain lists ("1.", "2.") get none. ECMA-376 part 1, 17.9.
 */
export function paragraphNumbers(
  body: XmlElement,
  numbering: XmlElement | null,
  styles: XmlElement | null,
): ReadonlyMap<XmlElement, string> {
  const numbers = new Map<XmlElement, string>();
  if (numbering === null) return numbers;
  const definitions = definitionsOf(numbering);
  const styleOf = stylesOf(styles);
  const counters = new Map<string, number[]>();
  const started = new Set<string>();
  for (const paragraph of findXml(body, 'p')) {
    const properties = childAt(paragraph, 'pPr');
    const style = styleOf(attributeOf(childAt(properties, 'pStyle'), 'val'));
    const numId = attributeOf(childAt(properties, 'numPr', 'numId'), 'val') ?? style.numId;
    const levelIndex = Number(attributeOf(childAt(properties, 'numPr', 'ilvl'), 'val') ?? style.level ?? 0);
    const definition = numId === undefined ? undefined : definitions.get(numId);
    const level = definition?.levels.get(levelIndex);
    if (numId === undefined || definition === undefined || level === undefined) continue;
    const counter = counters.get(definition.abstractId) ?? [];
    counters.set(definition.abstractId, counter);
    const restart = started.has(`${numId}/${levelIndex}`) ? undefined : definition.restarts.get(levelIndex);
    started.add(`${numId}/${levelIndex}`);
    counter[levelIndex] = restart ?? (counter[levelIndex] === undefined ? level.start : counter[levelIndex] + 1);
    counter.length = levelIndex + 1;
    const plainList = /^%\d[.)]?$/.test(level.text) && !style.heading;
    if (level.format === 'bullet' || level.format === 'none' || plainList) continue;
    const text = level.text.replace(/%(\d)/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const shown = definition.levels.get(index);
      return writtenNumber(counter[index] ?? shown?.start ?? 1, shown?.format ?? 'decimal');
    });
    if (text.trim() !== '') numbers.set(paragraph, text.trim());
  }
  return numbers;
}

function definitionsOf(numbering: XmlElement): Map<string, Definition> {
  const abstract = new Map(
    elementsOf(numbering)
      .filter((element) => element.name === 'abstractNum')
      .map((element) => [attributeOf(element, 'abstractNumId'), levelsOf(element)]),
  );
  return new Map(
    elementsOf(numbering)
      .filter((element) => element.name === 'num')
      .map((element) => {
        const abstractId = attributeOf(childAt(element, 'abstractNumId'), 'val') ?? '';
        const overrides = elementsOf(element).filter((child) => child.name === 'lvlOverride');
        const restarts = overrides.flatMap((override): [number, number][] => {
          const start = attributeOf(childAt(override, 'startOverride'), 'val');
          return start === undefined ? [] : [[Number(attributeOf(override, 'ilvl')), Number(start)]];
        });
        const levels = new Map([
          ...(abstract.get(abstractId) ?? []),
          ...overrides.flatMap((override) => [...levelsOf(override)]),
        ]);
        return [attributeOf(element, 'numId') ?? '', { abstractId, levels, restarts: new Map(restarts) }];
      }),
  );
}

function levelsOf(element: XmlElement): Map<number, Level> {
  const value = (level: XmlElement, name: string): string | undefined => attributeOf(childAt(level, name), 'val');
  return new Map(
    elementsOf(element)
      .filter((child) => child.name === 'lvl')
      .map((level) => [
        Number(attributeOf(level, 'ilvl')),
        {
          start: Number(value(level, 'start') ?? 1),
          format: value(level, 'numFmt') ?? 'decimal',
          text: value(level, 'lvlText') ?? '',
        },
      ]),
  );
}

/** Styles by id, what they inherit resolved. */
function stylesOf(styles: XmlElement | null): (id: string | undefined) => Style {
  const none: Style = { basedOn: undefined, numId: undefined, level: undefined, heading: false };
  const own = new Map(
    findXml(styles ?? { name: '', prefixed: '', attributes: {}, children: [] }, 'style').map((style) => {
      const numbering = childAt(style, 'pPr', 'numPr');
      const level = attributeOf(childAt(numbering, 'ilvl'), 'val');
      return [
        attributeOf(style, 'styleId') ?? '',
        {
          basedOn: attributeOf(childAt(style, 'basedOn'), 'val'),
          numId: attributeOf(childAt(numbering, 'numId'), 'val'),
          level: level === undefined ? undefined : Number(level),
          heading: /^heading \d/i.test(attributeOf(childAt(style, 'name'), 'val') ?? ''),
        },
      ];
    }),
  );
  const resolve = (id: string | undefined, depth: number): Style => {
    const style = id === undefined ? undefined : own.get(id);
    if (style === undefined || depth > 20) return none;
    const parent = resolve(style.basedOn, depth + 1);
    return { ...style, numId: style.numId ?? parent.numId, level: style.level ?? parent.level };
  };
  return (id) => resolve(id, 0);
}
