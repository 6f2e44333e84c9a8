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
  const [, before, within] = /^(.*\S)\s*[([]([^()[\]]{1,20})[)\]]$/.exec(header.trim()) ?? [];
  if (before !== undefined && within !== undefined) return { title: titleOf(before), unit: within };
  const title = titleOf(header);
  const words = wordsOf(header);
  const last = words.at(-1) as string;
  return words.length > 1 && Object.hasOwn(UNITS, last)
    ? { title, unit: UNITS[last] as string }
    : { title };
}
