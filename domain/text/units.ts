import { spacedLetters } from './letters.ts';

/**
 * A unit of measure. Two units of one dimension convert: base = value · factor + offset. A unit that has no exact partner (ton, gallon,
 * working day, a currency) is a dimension of its own. Factors are the exact definitions of the SI brochure and the 1959 yard and pound agreement.
 */
export interface Unit {
  name: string;
  dimension: string;
  factor: number;
  offset: number;
}

/** Symbols, where case tells units apart (mW, MW; Nm, nm). */
const symbols = new Map<string, Unit>();
/** Names in words, lower case, without a plural s. */
const names = new Map<string, Unit>();

const inch = 0.0254;
const foot = 12 * inch;
const pound = 0.45359237;

function define(dimension: string, factor: number, forms: string, offset = 0): void {
  const [symbolForms = '', nameForms = ''] = forms.split('|');
  const all = [...list(symbolForms), ...list(nameForms)];
  const spaced = all.find((form) => !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(form));
  const unit: Unit = { name: spaced ?? all[0] ?? dimension, dimension, factor, offset };
  for (const symbol of list(symbolForms)) symbols.set(symbol, unit);
  for (const name of list(nameForms)) names.set(name, unit);
}

function list(forms: string): string[] {
  return forms
    .split(',')
    .map((form) => form.trim())
    .filter((form) => form !== '');
}

/** Units that convert to nothing else: each is a dimension named as its first form. */
function own(...units: string[]): void {
  for (const forms of units) define(list(forms.replace('|', ','))[0] ?? forms, 1, forms);
}

define('mass', 1, 'kg, kgs | kilogram, kilogramme, kilo');
define('mass', 1e-3, 'g | gram, gramme');
define('mass', 1e-6, 'mg | milligram');
define('mass', 1e-9, 'µg, μg, mcg | microgram');
define('mass', 1e-12, 'ng | nanogram');
define('mass', 1e3, 't | tonne, metric ton');
define('mass', pound, 'lb, lbs');
define('mass', pound / 16, 'oz | ounce');
define('mass', 14 * pound, '| stone');
define('length', 1, 'm | metre, meter');
define('length', 1e3, 'km | kilometre, kilometer');
define('length', 1e-2, 'cm | centimetre, centimeter');
define('length', 1e-3, 'mm | millimetre, millimeter');
define('length', 1e-6, 'µm, μm | micrometre, micrometer, micron');
define('length', 1e-9, 'nm | nanometre, nanometer');
define('length', 1609.344, 'mi | mile');
define('length', 3 * foot, 'yd | yard');
define('length', foot, 'ft | foot, feet');
define('length', inch, '| inch, inche');
define('length', 1852, '| nautical mile');
define('time', 1, 's, sec, secs, 秒 | second');
define('time', 1e-3, 'ms, msec | millisecond');
define('time', 1e-6, 'µs, μs | microsecond');
define('time', 60, 'min, mins, 分, 分間, 分钟, 分鐘 | minute');
define('time', 3600, 'h, hr, hrs, 時間, 小时, 小時 | hour');
define('time', 86400, '日間, 天 | day, calendar day');
define('time', 604800, 'wk, wks, 週間, 周, 星期 | week');
define('time', 1209600, '| fortnight');
define('working day', 1, '営業日, 工作日 | working day, business day, workday, weekday');
define('calendar', 1, 'か月, ヶ月, カ月, 个月, 個月 | month, calendar month');
define('calendar', 12, 'yr, yrs, 年間 | year, calendar year');
define('calendar', 120, '| decade');
define('calendar', 1200, '| century, centurie');
define('temperature', 1, '°C, ° C, ℃, deg C | degree celsius, degree centigrade, degree c', 273.15);
define('temperature', 5 / 9, '°F, ° F, ℉, deg F | degree fahrenheit, degree f', 459.67 * (5 / 9));
define('temperature', 1, 'K | kelvin');
define('volume', 1, 'l, L, ltr | litre, liter');
define('volume', 1e-3, 'ml, mL, cm³, cm3, cc | millilitre, milliliter, cubic centimetre, cubic centimeter');
define('volume', 1e-2, 'cl, cL | centilitre, centiliter');
define('volume', 1e-1, 'dl, dL | decilitre, deciliter');
define('volume', 1e2, 'hl, hL | hectolitre, hectoliter');
define('volume', 1e-6, 'µl, μl, µL, μL | microlitre, microliter');
define('volume', 1e3, 'm³, m3, cbm | cubic metre, cubic meter');
define('volume', (foot * 10) ** 3, 'ft³, cu ft | cubic foot, cubic feet');
define('area', 1, 'm², m2, sqm, sq m | square metre, square meter');
define('area', 1e6, 'km², km2, sq km | square kilometre, square kilometer');
define('area', 1e-4, 'cm², cm2 | square centimetre, square centimeter');
define('area', 1e-6, 'mm², mm2 | square millimetre, square millimeter');
define('area', 1e4, 'ha | hectare');
define('area', 4046.8564224, '| acre');
define('area', foot ** 2, 'ft², sq ft, sqft | square foot, square feet');
define('area', 1609.344 ** 2, 'sq mi | square mile');
define('pressure', 1, 'Pa | pascal');
define('pressure', 1e2, 'hPa, mbar | hectopascal, millibar');
define('pressure', 1e3, 'kPa | kilopascal');
define('pressure', 1e6, 'MPa | megapascal');
define('pressure', 1e5, 'bar, bars');
define('pressure', (pound * 9.80665) / inch ** 2, 'psi | pound per square inch');
define('pressure', 101325, 'atm | atmosphere');
define('pressure', 133.322387415, 'mmHg, mm Hg');
define('torque', 1, 'Nm, N·m, N⋅m, N m, N-m | newton metre, newton meter, newton-metre, newton-meter');
define('torque', 1e3, 'kNm, kN·m | kilonewton metre, kilonewton meter');
define('torque', pound * 9.80665 * foot, 'lb-ft, lbf·ft, lb·ft, lbf-ft, ft-lb | foot-pound, foot pound, pound-foot');
define('force', 1, 'N | newton');
define('force', 1e3, 'kN | kilonewton');
define('power', 1, 'W | watt');
define('power', 1e-3, 'mW | milliwatt');
define('power', 1e3, 'kW | kilowatt');
define('power', 1e6, 'MW | megawatt');
define('power', 1e9, 'GW | gigawatt');
define('power', 550 * pound * 9.80665 * foot, 'hp | horsepower');
define('energy', 1, 'J | joule');
define('energy', 1e3, 'kJ | kilojoule');
define('energy', 1e6, 'MJ | megajoule');
define('energy', 1e9, 'GJ | gigajoule');
define('energy', 3.6e3, 'Wh | watt-hour, watt hour');
define('energy', 3.6e6, 'kWh | kilowatt-hour, kilowatt hour');
define('energy', 3.6e9, 'MWh | megawatt-hour, megawatt hour');
define('energy', 3.6e12, 'GWh | gigawatt-hour, gigawatt hour');
define('energy', 3.6e15, 'TWh | terawatt-hour, terawatt hour');
define('energy', 4184, 'kcal | kilocalorie');
define('voltage', 1, 'V | volt');
define('voltage', 1e-3, 'mV | millivolt');
define('voltage', 1e3, 'kV | kilovolt');
define('current', 1, 'A | amp, ampere');
define('current', 1e-3, 'mA | milliamp, milliampere');
define('resistance', 1, 'Ω, Ω | ohm');
define('resistance', 1e3, 'kΩ, kΩ | kiloohm, kilohm');
define('frequency', 1, 'Hz | hertz');
define('frequency', 1e3, 'kHz | kilohertz');
define('frequency', 1e6, 'MHz | megahertz');
define('frequency', 1e9, 'GHz | gigahertz');
define('speed', 1, 'm/s | metre per second, meter per second');
define('speed', 1 / 3.6, 'km/h, kmh, kph, km/hr | kilometre per hour, kilometer per hour');
define('speed', 0.44704, 'mph | mile per hour');
define('speed', 1852 / 3600, 'kn, kt, kts | knot');
define('rotation', 1, 'rpm, r/min | revolution per minute');
define('data', 1, 'B | byte');
define('data', 1e3, 'kB, KB | kilobyte');
define('data', 1e6, 'MB | megabyte');
define('data', 1e9, 'GB | gigabyte');
define('data', 1e12, 'TB | terabyte');
define('data', 1e15, 'PB | petabyte');
define('data', 1024, 'KiB | kibibyte');
define('data', 1024 ** 2, 'MiB | mebibyte');
define('data', 1024 ** 3, 'GiB | gibibyte');
define('data', 1024 ** 4, 'TiB | tebibyte');
define('data', 1 / 8, 'bit, bits');
define('data', 1e3 / 8, 'kbit, Kbit | kilobit');
define('data', 1e6 / 8, 'Mbit | megabit');
define('data', 1e9 / 8, 'Gbit | gigabit');
define('data rate', 1, 'B/s');
define('data rate', 1e6, 'MB/s | megabyte per second');
define('data rate', 1e9, 'GB/s | gigabyte per second');
define('data rate', 1e3 / 8, 'kbit/s, kbps, Kbps | kilobit per second');
define('data rate', 1e6 / 8, 'Mbit/s, Mbps, Mb/s | megabit per second');
define('data rate', 1e9 / 8, 'Gbit/s, Gbps, Gb/s | gigabit per second');
define('ratio', 0.01, '%, pct | percent, per cent');
define('ratio', 0.001, '‰ | per mille');
define('ppm', 1, 'ppm');
define('ppm', 1e-3, 'ppb');
define('points', 1, 'pp | percentage point');
define('points', 0.01, 'bps | basis point');
define('times', 1, 'x, × | time, fold');
define('angle', 1, '° | degree');
own(
  '| ton',
  '| gallon',
  '| pint',
  '| barrel',
  '| calorie',
  'dB | decibel',
  'lx | lux, luxe',
  'lm | lumen',
  'px | pixel',
  'dpi',
  'mol | mole',
  'kbp',
  'IU',
);

/** Currencies never convert. A vague sign or name ($, pound, kr) may stand for a more exact one of its family, not the other way round. */
define('usd', 1, 'USD, US$ | us dollar, american dollar');
define('dollar', 1, '$ | dollar');
define('aud', 1, 'AUD, A$, AU$ | australian dollar');
define('cad', 1, 'CAD, C$, CA$ | canadian dollar');
define('nzd', 1, 'NZD, NZ$ | new zealand dollar');
define('sgd', 1, 'SGD, S$ | singapore dollar');
define('hkd', 1, 'HKD, HK$ | hong kong dollar');
define('eur', 1, 'EUR, € | euro');
define('gbp', 1, 'GBP, £ | pound sterling');
define('jpy', 1, 'JPY, 円 | yen');
define('cny', 1, 'CNY, RMB, 元 | yuan, renminbi');
define('yen sign', 1, '¥, ￥');
define('inr', 1, 'INR, ₹ | indian rupee');
define('chf', 1, 'CHF | swiss franc');
define('sek', 1, 'SEK | swedish krona, swedish kronor');
define('nok', 1, 'NOK | norwegian krone, norwegian kroner');
define('dkk', 1, 'DKK | danish krone, danish kroner');
define('kr', 1, 'kr');
define('pln', 1, 'PLN, zł | zloty, zlotys, złoty');
define('czk', 1, 'CZK, Kč | koruna');
define('rub', 1, 'RUB, ₽ | rouble, ruble');
define('krw', 1, 'KRW, ₩ | won');
define('krona', 1, '| krona, kronor');
define('krone', 1, '| krone, kroner');
own(
  '| crown',
  '| mark',
  '| franc',
  '| rupee',
  '| peso',
  '| rand',
  '| cent',
  '| pence, penny, pennie',
  '| shilling',
  '| guilder, gulden',
  '| florin',
);
own(
  'HUF | forint',
  'BRL | reai',
  'TRY, ₺ | lira',
  'ILS, ₪ | shekel',
  'AED | dirham',
  'THB, ฿ | baht',
  'ZAR',
  'MXN',
  'BTC | bitcoin',
  'token',
  'credit',
);

const families: Record<string, string[]> = {
  dollar: ['usd', 'aud', 'cad', 'nzd', 'sgd', 'hkd'],
  kr: ['sek', 'nok', 'dkk', 'krona', 'krone'],
  krona: ['sek'],
  krone: ['nok', 'dkk'],
  'yen sign': ['jpy', 'cny'],
  franc: ['chf'],
  rupee: ['inr'],
};

/** Whether what is said in `said` holds of a value given in `source`: the same dimension, or a vaguer name of the same currency. */
export function unitCovers(said: Unit, source: Unit): boolean {
  return said.dimension === source.dimension || (families[said.dimension]?.includes(source.dimension) ?? false);
}

/** "10 pounds" is money where the text speaks of money, else a mass. */
export function poundUnit(text: string): Unit {
  const money =
    /[£$€]|\bGBP\b|\bsterling\b|\b(?:pay|paid|price|cost|fee|fine|charge|salar|rent|refund|deposit|budget|worth|fare|penn|pence)/i;
  return money.test(text) ? known('gbp', names.get('pound sterling')) : known('lb', symbols.get('lb'));
}

function known(name: string, unit: Unit | undefined): Unit {
  if (unit === undefined) throw new Error(`the unit ${name} is not defined`);
  return unit;
}

const escape = (form: string): string => form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const longestFirst = (a: string, b: string): number => b.length - a.length;
const symbolPattern = new RegExp(`(?:${[...symbols.keys()].sort(longestFirst).map(escape).join('|')})`, 'uy');
const namePattern = new RegExp(
  `(${[...names.keys(), 'pound']
    .sort(longestFirst)
    .map((name) => escape(name).replace(/ /g, '[ -]'))
    .join('|')})(s?)`,
  'iuy',
);
const currencyPrefix =
  /(?:(?:US|AU|CA|NZ|HK|A|C|S)?\$|[€£¥￥₹₽₩₺₪฿]|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RUB|KRW|AUD|CAD|NZD|SGD|HKD)(?![\p{L}\p{N}]))\s?$/u;

export interface UnitMatch {
  unit: Unit;
  start: number;
  end: number;
}

/** The unit that starts at `at`, as a whole word, or null. */
export function unitAt(text: string, at: number): UnitMatch | null {
  symbolPattern.lastIndex = at;
  const symbol = symbolPattern.exec(text)?.[0];
  namePattern.lastIndex = at;
  const name = namePattern.exec(text);
  const nameLength = name && endsWord(text, at + name[0].length) ? name[0].length : 0;
  const symbolLength = symbol !== undefined && endsSymbol(text, at, symbol) ? symbol.length : 0;
  if (name?.[1] !== undefined && nameLength > 0 && nameLength >= symbolLength) {
    const key = name[1].toLowerCase().replace(/-/g, ' ');
    const unit = key === 'pound' ? poundUnit(text) : (names.get(key) ?? names.get(name[1].toLowerCase()));
    if (unit) return { unit, start: at, end: at + nameLength };
  }
  const unit = symbol === undefined ? undefined : symbols.get(symbol);
  return unit && symbolLength > 0 ? { unit, start: at, end: at + symbolLength } : null;
}

/** A currency sign or code that ends at `at` ("$", "EUR "), or null. */
export function currencyBefore(text: string, at: number): UnitMatch | null {
  const from = Math.max(0, at - 5);
  const match = currencyPrefix.exec(text.slice(from, at));
  if (!match) return null;
  const start = from + match.index;
  if (/^[A-Z]/.test(match[0]) && start > 0 && /[\p{L}\p{N}]/u.test(text.charAt(start - 1))) return null;
  const unit = symbols.get(match[0].trim());
  return unit ? { unit, start, end: at } : null;
}

const wordCharacter = new RegExp(`[${spacedLetters}\\p{N}]`, 'u');

function endsWord(text: string, end: number): boolean {
  return !wordCharacter.test(text.charAt(end));
}

function endsSymbol(text: string, start: number, symbol: string): boolean {
  const end = start + symbol.length;
  if (!/[\p{L}\p{N}]$/u.test(symbol)) return true;
  if (/\p{Script=Han}|\p{Script=Hiragana}/u.test(symbol)) return true;
  return endsWord(text, end) && !/^['’]\p{L}/u.test(text.slice(end, end + 2));
}

export const ratioUnit = known('%', symbols.get('%'));
export const timesUnit = known('×', symbols.get('×'));
