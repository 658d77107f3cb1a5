/** Which sign ends the whole part of a number: 2,460.5 or 2.460,5. */
export type NumberStyle = 'point' | 'comma';

/** What a text shows of its decimal sign: "1.234,5" or "3,5 %" a comma, "1,234.5" or "3.5" a point. Null when it shows nothing or both. */
export function numberStyle(text: string): NumberStyle | null {
  const comma =
    /(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d+|(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.])|(?<![\d.,])\d+,(?:\d{1,2}|\d{4,})(?![\d,.])/.test(
      text,
    );
  const point =
    /(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d|(?<![\d.,])\d{1,3}(?:,\d{3}){2,}(?![\d,])|(?<![\d.,])\d+\.(?:\d{1,2}|\d{4,})(?![\d.,])/.test(
      text,
    );
  if (comma === point) return null;
  return comma ? 'comma' : 'point';
}

/**
 * Value of a number in digits. Thousands are set off by , . ' or a space in groups of three; what stands before the last part is read by
 * the number itself, else by `style`, else as English does: 2,460 is a whole number, 2.460 a decimal one. Null when it is no single number.
 */
export function numberValue(digits: string, style: NumberStyle | null): number | null {
  const compact = digits.replace(/(?<=\d)[ '’](?=\d{3}(?!\d))/g, '');
  const points = compact.split('.').length - 1;
  const commas = compact.split(',').length - 1;
  if (points > 0 && commas > 0) {
    const decimal = compact.lastIndexOf('.') > compact.lastIndexOf(',') ? '.' : ',';
    return grouped(compact, decimal === '.' ? ',' : '.', decimal);
  }
  if (commas > 1) return grouped(compact, ',', '.');
  if (points > 1) return grouped(compact, '.', ',');
  if (commas === 1) {
    const thousands = /^[1-9]\d{0,2},\d{3}$/.test(compact) && style !== 'comma';
    return Number(compact.replace(',', thousands ? '' : '.'));
  }
  if (points === 1)
    return Number(/^[1-9]\d{0,2}\.\d{3}$/.test(compact) && style === 'comma' ? compact.replace('.', '') : compact);
  return Number(compact);
}

function grouped(compact: string, thousands: string, decimal: string): number | null {
  const [whole = '', fraction = '', ...rest] = compact.split(decimal);
  const parts = whole.split(thousands);
  const isGrouped = parts.every((part, i) =>
    i === 0
      ? /^\d{1,3}$/.test(part)
      : /^\d{3}$/.test(part) || (thousands === ',' && /^\d{2}$/.test(part) && i < parts.length - 1),
  );
  if (rest.length > 0 || fraction.includes(thousands) || !isGrouped) return null;
  return Number(`${parts.join('')}.${fraction || '0'}`);
}
