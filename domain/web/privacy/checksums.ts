/** The check digit of payment cards (ISO/IEC 7812-1, annex B: Luhn). `digits`: ASCII digits only. */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The check of an IBAN (ISO 13616, ISO/IEC 7064 MOD 97-10). `iban`: letters and digits without spaces. */
export function passesMod97(iban: string): boolean {
  const moved = iban.slice(4) + iban.slice(0, 4);
  let rest = 0;
  for (const sign of moved) {
    for (const digit of Number.parseInt(sign, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}
