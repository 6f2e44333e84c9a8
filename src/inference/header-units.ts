import { titleOf, wordsOf } from './header-words.ts';

/** Last words of headers that are nothing but a unit, and the unit as it is written. */
const UNITS: Readonly<Record<string, string>> = {
  ...{ mm: 'mm', cm: 'cm', km: 'km', kg: 'kg', mg: 'mg', ml: 'ml', ha: 'ha' },
  ...{ m2: 'm²', sqm: 'm²', km2: 'km²', m3: 'm³', sqft: 'sq ft', lbs: 'lb' },
  ...{ kwh: 'kWh', mwh: 'MWh', kmh: 'km/h', mph: 'mph', celsius: '°C', fahrenheit: '°F' },
  ...{ pct: '%', percent: '%', percentage: '%' },
  ...Object.fromEntries(
    ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'NZD', 'JPY', 'CNY', 'INR', 'SEK', 'NOK', 'DKK']
      .concat(['PLN', 'CZK', 'HUF', 'RON', 'BRL', 'MXN', 'ZAR'])
      .map((code) => [code.toLowerCase(), code]),
  ),
};

/**
 * A title and the unit in a column's header: `Weight (kg)` is `Weight`, in kg. A title keeps a last
 * word that is a unit: `dbh_cm` is `Dbh cm`.
 */
export function titleAndUnit(header: string): { readonly title: string; readonly unit?: string } {
  const [, before, within = ''] = /^(.*\S)\s*[([]([^()[\]]{1,20})[)\]]$/.exec(header.trim()) ?? [];
  if (before !== undefined && isUnit(within)) return { title: titleOf(before), unit: within };
  const title = titleOf(header);
  const words = wordsOf(header);
  const last = words.at(-1) as string;
  return words.length > 1 && Object.hasOwn(UNITS, last)
    ? { title, unit: UNITS[last] as string }
    : { title };
}

/** What stands in brackets behind a number's name may be a year, a system or a source as well. */
function isUnit(text: string): boolean {
  const lower = text.toLowerCase();
  return Object.hasOwn(UNITS, lower) || WITH_SIGN.test(text) || IN_BRACKETS.has(lower);
}

/** `%`, `°C`, `m²`, `kg/m3`, `€`, `% of total`. */
const WITH_SIGN = /[%\u2030\u00b0\u00b2\u00b3\u00b5\u03bc/\p{Sc}]/u;

/** Units that only brackets tell from other words. */
const IN_BRACKETS = new Set([
  ...['m', 'g', 'l', 't', 's', 'h', 'w', 'kw', 'mw', 'gw', 'wh', 'v', 'kv', 'a', 'k', 'pa', 'hpa'],
  ...['kpa', 'hz', 'khz', 'mhz', 'ghz', 'db', 'ms', 'min', 'sec', 'hrs', 'yrs', 'days', 'hours'],
  ...['minutes', 'seconds', 'weeks', 'months', 'years', 'ft', 'in', 'yd', 'mi', 'nm', 'lb', 'oz'],
  ...['gal', 'ac', 'acres', 'hectares', 'miles', 'feet', 'inches', 'yards', 'meters', 'metres'],
  ...['kilometers', 'kilometres', 'liters', 'litres', 'tons', 'tonnes', 'grams', 'kilograms'],
  ...['pounds', 'people', 'persons', 'households', 'units', 'thousands', 'millions', 'billions'],
  ...['mn', 'bn', 'dollars', 'euros', 'cents', 'degrees', 'ppm', 'ppb', 'sq ft', 'sq mi', 'sq km'],
  ...['sq m', 'cu ft', 'cu m'],
]);
