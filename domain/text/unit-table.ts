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

/** Dimension, factor, "symbols | names in words without a plural s" and, for temperatures, offset. Symbols are as written, since case tells mW from MW. */
type Row = [dimension: string, factor: number, forms: string, offset?: number];

const inch = 0.0254;
const foot = 12 * inch;
const pound = 0.45359237;
const gravity = 9.80665;

const measures: Row[] = [
  ['mass', 1, 'kg, kgs | kilogram, kilogramme, kilo'],
  ['mass', 1e-3, 'g | gram, gramme'],
  ['mass', 1e-6, 'mg | milligram'],
  ['mass', 1e-9, 'µg, μg, mcg | microgram'],
  ['mass', 1e-12, 'ng | nanogram'],
  ['mass', 1e3, 't | tonne, metric ton'],
  ['mass', pound, 'lb, lbs'],
  ['mass', pound / 16, 'oz | ounce'],
  ['mass', 14 * pound, '| stone'],
  ['length', 1, 'm | metre, meter'],
  ['length', 1e3, 'km | kilometre, kilometer'],
  ['length', 1e-2, 'cm | centimetre, centimeter'],
  ['length', 1e-3, 'mm | millimetre, millimeter'],
  ['length', 1e-6, 'µm, μm | micrometre, micrometer, micron'],
  ['length', 1e-9, 'nm | nanometre, nanometer'],
  ['length', 1609.344, 'mi | mile'],
  ['length', 3 * foot, 'yd | yard'],
  ['length', foot, 'ft | foot, feet'],
  ['length', inch, '| inch, inche'],
  ['length', 1852, '| nautical mile'],
  ['time', 1, 's, sec, secs, 秒 | second'],
  ['time', 1e-3, 'ms, msec | millisecond'],
  ['time', 1e-6, 'µs, μs | microsecond'],
  ['time', 60, 'min, mins, 分, 分間, 分钟, 分鐘 | minute'],
  ['time', 3600, 'h, hr, hrs, 時間, 小时, 小時 | hour'],
  ['time', 86400, '日間, 天 | day, calendar day'],
  ['time', 604800, 'wk, wks, 週間, 周, 星期 | week'],
  ['time', 1209600, '| fortnight'],
  ['working day', 1, '営業日, 工作日 | working day, business day, workday, weekday'],
  ['calendar', 1, 'か月, ヶ月, カ月, 个月, 個月 | month, calendar month'],
  ['calendar', 12, 'yr, yrs, 年間 | year, calendar year'],
  ['calendar', 120, '| decade'],
  ['calendar', 1200, '| century, centurie'],
  ['temperature', 1, '°C, ° C, ℃, deg C | degree celsius, degree centigrade, degree c', 273.15],
  ['temperature', 5 / 9, '°F, ° F, ℉, deg F | degree fahrenheit, degree f', 459.67 * (5 / 9)],
  ['temperature', 1, 'K | kelvin'],
  ['volume', 1, 'l, L, ltr | litre, liter'],
  ['volume', 1e-3, 'ml, mL, cm³, cm3, cc | millilitre, milliliter, cubic centimetre, cubic centimeter'],
  ['volume', 1e-2, 'cl, cL | centilitre, centiliter'],
  ['volume', 1e-1, 'dl, dL | decilitre, deciliter'],
  ['volume', 1e2, 'hl, hL | hectolitre, hectoliter'],
  ['volume', 1e-6, 'µl, μl, µL, μL | microlitre, microliter'],
  ['volume', 1e3, 'm³, m3, cbm | cubic metre, cubic meter'],
  ['volume', (foot * 10) ** 3, 'ft³, cu ft | cubic foot, cubic feet'],
  ['area', 1, 'm², m2, sqm, sq m | square metre, square meter'],
  ['area', 1e6, 'km², km2, sq km | square kilometre, square kilometer'],
  ['area', 1e-4, 'cm², cm2 | square centimetre, square centimeter'],
  ['area', 1e-6, 'mm², mm2 | square millimetre, square millimeter'],
  ['area', 1e4, 'ha | hectare'],
  ['area', 4046.8564224, '| acre'],
  ['area', foot ** 2, 'ft², sq ft, sqft | square foot, square feet'],
  ['area', 1609.344 ** 2, 'sq mi | square mile'],
  ['pressure', 1, 'Pa | pascal'],
  ['pressure', 1e2, 'hPa, mbar | hectopascal, millibar'],
  ['pressure', 1e3, 'kPa | kilopascal'],
  ['pressure', 1e6, 'MPa | megapascal'],
  ['pressure', 1e5, 'bar, bars'],
  ['pressure', (pound * gravity) / inch ** 2, 'psi | pound per square inch'],
  ['pressure', 101325, 'atm | atmosphere'],
  ['pressure', 133.322387415, 'mmHg, mm Hg'],
  ['torque', 1, 'Nm, N·m, N⋅m, N m, N-m | newton metre, newton meter, newton-metre, newton-meter'],
  ['torque', 1e3, 'kNm, kN·m | kilonewton metre, kilonewton meter'],
  ['torque', pound * gravity * foot, 'lb-ft, lbf·ft, lb·ft, lbf-ft, ft-lb | foot-pound, foot pound, pound-foot'],
  ['force', 1, 'N | newton'],
  ['force', 1e3, 'kN | kilonewton'],
  ['power', 1, 'W | watt'],
  ['power', 1e-3, 'mW | milliwatt'],
  ['power', 1e3, 'kW | kilowatt'],
  ['power', 1e6, 'MW | megawatt'],
  ['power', 1e9, 'GW | gigawatt'],
  ['power', 550 * pound * gravity * foot, 'hp | horsepower'],
  ['energy', 1, 'J | joule'],
  ['energy', 1e3, 'kJ | kilojoule'],
  ['energy', 1e6, 'MJ | megajoule'],
  ['energy', 1e9, 'GJ | gigajoule'],
  ['energy', 3.6e3, 'Wh | watt-hour, watt hour'],
  ['energy', 3.6e6, 'kWh | kilowatt-hour, kilowatt hour'],
  ['energy', 3.6e9, 'MWh | megawatt-hour, megawatt hour'],
  ['energy', 3.6e12, 'GWh | gigawatt-hour, gigawatt hour'],
  ['energy', 3.6e15, 'TWh | terawatt-hour, terawatt hour'],
  ['energy', 4184, 'kcal | kilocalorie'],
  ['voltage', 1, 'V | volt'],
  ['voltage', 1e-3, 'mV | millivolt'],
  ['voltage', 1e3, 'kV | kilovolt'],
  ['current', 1, 'A | amp, ampere'],
  ['current', 1e-3, 'mA | milliamp, milliampere'],
  ['resistance', 1, 'Ω, Ω | ohm'],
  ['resistance', 1e3, 'kΩ, kΩ | kiloohm, kilohm'],
  ['frequency', 1, 'Hz | hertz'],
  ['frequency', 1e3, 'kHz | kilohertz'],
  ['frequency', 1e6, 'MHz | megahertz'],
  ['frequency', 1e9, 'GHz | gigahertz'],
  ['speed', 1, 'm/s | metre per second, meter per second'],
  ['speed', 1 / 3.6, 'km/h, kmh, kph, km/hr | kilometre per hour, kilometer per hour'],
  ['speed', 0.44704, 'mph | mile per hour'],
  ['speed', 1852 / 3600, 'kn, kt, kts | knot'],
  ['rotation', 1, 'rpm, r/min | revolution per minute'],
  ['data', 1, 'B | byte'],
  ['data', 1e3, 'kB, KB | kilobyte'],
  ['data', 1e6, 'MB | megabyte'],
  ['data', 1e9, 'GB | gigabyte'],
  ['data', 1e12, 'TB | terabyte'],
  ['data', 1e15, 'PB | petabyte'],
  ['data', 1024, 'KiB | kibibyte'],
  ['data', 1024 ** 2, 'MiB | mebibyte'],
  ['data', 1024 ** 3, 'GiB | gibibyte'],
  ['data', 1024 ** 4, 'TiB | tebibyte'],
  ['data', 1 / 8, 'bit, bits'],
  ['data', 1e3 / 8, 'kbit, Kbit | kilobit'],
  ['data', 1e6 / 8, 'Mbit | megabit'],
  ['data', 1e9 / 8, 'Gbit | gigabit'],
  ['data rate', 1, 'B/s'],
  ['data rate', 1e6, 'MB/s | megabyte per second'],
  ['data rate', 1e9, 'GB/s | gigabyte per second'],
  ['data rate', 1e3 / 8, 'kbit/s, kbps, Kbps | kilobit per second'],
  ['data rate', 1e6 / 8, 'Mbit/s, Mbps, Mb/s | megabit per second'],
  ['data rate', 1e9 / 8, 'Gbit/s, Gbps, Gb/s | gigabit per second'],
  ['ratio', 0.01, '%, pct | percent, per cent'],
  ['ratio', 0.001, '‰ | per mille'],
  ['ppm', 1, 'ppm'],
  ['ppm', 1e-3, 'ppb'],
  ['points', 1, 'pp | percentage point'],
  ['points', 0.01, 'bps | basis point'],
  ['times', 1, 'x, × | time, fold'],
  ['angle', 1, '° | degree'],
];

/** Currencies never convert. A vague sign or name ($, pound, kr) may stand for a more exact one of its family, not the other way round. */
const currencies: Row[] = [
  ['usd', 1, 'USD, US$ | us dollar, american dollar'],
  ['dollar', 1, '$ | dollar'],
  ['aud', 1, 'AUD, A$, AU$ | australian dollar'],
  ['cad', 1, 'CAD, C$, CA$ | canadian dollar'],
  ['nzd', 1, 'NZD, NZ$ | new zealand dollar'],
  ['sgd', 1, 'SGD, S$ | singapore dollar'],
  ['hkd', 1, 'HKD, HK$ | hong kong dollar'],
  ['eur', 1, 'EUR, € | euro'],
  ['gbp', 1, 'GBP, £ | pound sterling'],
  ['jpy', 1, 'JPY, 円 | yen'],
  ['cny', 1, 'CNY, RMB, 元 | yuan, renminbi'],
  ['yen sign', 1, '¥, ￥'],
  ['inr', 1, 'INR, ₹ | indian rupee'],
  ['chf', 1, 'CHF | swiss franc'],
  ['sek', 1, 'SEK | swedish krona, swedish kronor'],
  ['nok', 1, 'NOK | norwegian krone, norwegian kroner'],
  ['dkk', 1, 'DKK | danish krone, danish kroner'],
  ['kr', 1, 'kr'],
  ['pln', 1, 'PLN, zł | zloty, zlotys, złoty'],
  ['czk', 1, 'CZK, Kč | koruna'],
  ['rub', 1, 'RUB, ₽ | rouble, ruble'],
  ['krw', 1, 'KRW, ₩ | won'],
  ['krona', 1, '| krona, kronor'],
  ['krone', 1, '| krone, kroner'],
];

/** Units that convert to nothing else: each is a dimension named as its first form. */
const alone = [
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
];

export const unitBySymbol = new Map<string, Unit>();
export const unitByName = new Map<string, Unit>();

for (const [dimension, factor, forms, offset = 0] of [...measures, ...currencies, ...alone.map(onItsOwn)]) {
  const [symbols = '', names = ''] = forms.split('|');
  const unit = { name: nameOf([...listed(symbols), ...listed(names)]), dimension, factor, offset };
  for (const symbol of listed(symbols)) unitBySymbol.set(symbol, unit);
  for (const name of listed(names)) unitByName.set(name, unit);
}

function onItsOwn(forms: string): Row {
  return [nameOf(listed(forms.replace('|', ','))), 1, forms];
}

function listed(forms: string): string[] {
  return forms
    .split(',')
    .map((form) => form.trim())
    .filter((form) => form !== '');
}

function nameOf(forms: readonly string[]): string {
  const spaced = forms.find((form) => !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(form));
  return spaced ?? forms[0] ?? '';
}
