import { whyReserved } from '../block/wire-names.ts';
import { fold } from '../text/fold.ts';
import { isUnitOfCells } from '../values/spelled-number.ts';

/** The field's name for a column. `why` says why the name is not the header in lower case. */
type ColumnName = { readonly name: string; readonly header: string; readonly why?: string };

/**
 * Makes field names from a header row: ASCII letters, digits and `_`, in lower case. No name occurs
 * twice, is reserved, or is another's with `_min` or `_max`. The same row always gets the same
 * names.
 */
export function nameColumns(headers: readonly string[]): ColumnName[] {
  const wanted = headers.map(nameOfHeader);
  const all = new Set(wanted.map(({ name }) => name));
  const taken = new Set<string>();
  return wanted.map(({ name, why }, i) => {
    const reason = whyNotFree(name, taken, all);
    const free = reason === undefined ? name : freeName(name, taken, all);
    taken.add(free);
    return { name: free, header: headers[i] as string, why: reason ?? why };
  });
}

/**
 * The most characters of a name made from a header. With `_min` and a number, it stays below the 64
 * that tools of LLMs allow for a property's name.
 */
const MOST_CHARACTERS = 50;

type Wanted = { readonly name: string; readonly why?: string };

function nameOfHeader(header: string, index: number): Wanted {
  const letters = fold(header.slice(0, MOST_READ)).replace(/'/g, '');
  const name = letters.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  const numbered = `column_${index + 1}`;
  if (letters.trim() === '') return { name: numbered, why: 'its header is blank' };
  // Digits alone are a name only if the header lost no letters.
  if (name === '' || (!/[a-z]/.test(name) && /\p{L}/u.test(letters))) {
    return { name: numbered, why: 'nothing of its header can be in a name' };
  }
  const whole = /^\d/.test(name) ? `_${name}` : name;
  if (whole.length <= MOST_CHARACTERS) return { name: whole };
  const cut = whole.slice(0, MOST_CHARACTERS).replace(/_$/, '');
  return { name: cut, why: `its header has over ${MOST_CHARACTERS} characters` };
}

/** Characters of a header that are read. */
const MOST_READ = 200;

/** Says why a column cannot have a name, if that is taken or wanted by another column. */
function whyNotFree(
  name: string,
  taken: ReadonlySet<string>,
  all: ReadonlySet<string>,
): string | undefined {
  const why = whyReserved(name);
  if (why !== undefined) return `${name} is reserved, since ${why}`;
  if (taken.has(name)) return `another column is called ${name}`;
  const end = /^(.+)_(?:min|max)$/.exec(name)?.[1];
  if (end !== undefined && (taken.has(end) || all.has(end))) {
    return `${name} is how callers ask for a range of ${end}`;
  }
  return undefined;
}

function freeName(name: string, taken: ReadonlySet<string>, all: ReadonlySet<string>): string {
  const used = (one: string) => all.has(one) || taken.has(one);
  const isUsed = (one: string) => [one, `${one}_min`, `${one}_max`].some(used);
  const base = whyReserved(name) === undefined ? name : `column_${name}`;
  if (base !== name && !isUsed(base)) return base;
  let number = 2;
  // Each column uses at most one number, so this ends.
  while (isUsed(`${base}_${number}`)) number++;
  return `${base}_${number}`;
}

/**
 * Splits a header into words in lower case: `PermitNo`, `permit_no` and `PERMIT NO` give `permit`,
 * `no`.
 */
export function wordsOf(header: string): string[] {
  return header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/**
 * Words that titles have in capitals, even if the header or the file's name has none. None of them is
 * a word of its own in a language that we read: `la` and `un` are.
 */
const IN_CAPITALS = new Set([
  ...['id', 'url', 'uuid', 'guid', 'ein', 'vat', 'iban', 'isbn', 'gdp', 'nyc', 'us', 'usa', 'uk'],
  ...['eu', 'nhs', 'dna', 'hiv', 'co2', 'no2', 'so2', 'o3', 'pm10'],
]);

/**
 * Makes a title from a header: `created_at` becomes `Created at`, `CreatedAt` becomes `Created At`.
 * Keeps capitals.
 */
export function titleOf(header: string): string {
  const spaced = apart(header.replace(/[_\s]+|(?<=\p{L})\.(?=\p{L})/gu, ' ').trim());
  if (/\p{Lu}/u.test(spaced)) return spaced;
  const words = spaced
    .split(' ')
    .map((word) => (IN_CAPITALS.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/**
 * Separates joined words that each have a capital. Names such as `GmbH` have pieces of one letter.
 */
function apart(header: string): string {
  const isJoined = /^(?:\p{Lu}?\p{Ll}+)(?:\p{Lu}\p{Ll}+|(?<=\p{Ll})\p{Lu}{2,})+$/u.test(header);
  if (!isJoined) return header;
  const words = header.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  if (words.some((word) => word.length === 1)) return header;
  return words.join(' ').replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Codes of currencies in headers. */
const CURRENCIES = [
  ...['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'NZD', 'JPY', 'CNY', 'INR', 'SEK', 'NOK', 'DKK'],
  ...['PLN', 'CZK', 'HUF', 'RON', 'BRL', 'MXN', 'ZAR'],
];

/** Whether a unit is one of money. */
export function isCurrency(unit: string): boolean {
  return isUnitOfCells(unit) && !/[%\u2030]/.test(unit);
}

/** Words in headers of sums of money, in several languages. */
export const MONEY_WORD =
  /^(?:amount|prices?|costs?|fees?|fares?|salary|salaries|wages?|pay|payments?|income|revenues?|sales|budget|turnover|balance|donations?|grants?|betrag|preis|kosten|geb\u00fchr|gehalt|lohn|umsatz|einkommen|prix|montant|co\u00fbts?|salaire|precio|importe|coste|costo|sueldo|prezzo|importo|pre\u00e7o|valor|prijs|bedrag)$/;

/** Words in headers of counts, in several languages. */
const COUNT_WORD =
  /^(?:count|counts|population|pop|inhabitants|people|persons|residents|total|totals|sum|quantity|qty|units|votes|visits|visitors|views|downloads|area|distance|anzahl|einwohner|bev\u00f6lkerung|summe|gesamt|fl\u00e4che|stimmen|nombre|habitants|poblaci\u00f3n|habitantes|popolazione|abitanti|aantal|inwoners)$/;

/** Words in headers of keys, in several languages. */
export const KEY_WORD =
  /^(?:id|ids|uuid|guid|key|no|nr|num|number|nummer|code|ref|reference|identifier|objectid|fid|kennung|kennziffer|schl\u00fcssel|num\u00e9ro|identifiant|n\u00famero|c\u00f3digo|codigo|clave|identificador|numero|codice|kode|kod|k\u00f3d|numer|tunnus|\u043a\u043e\u0434|\u043d\u043e\u043c\u0435\u0440)$/;

/** Words for keys that mean counts if another word follows: `num_visitors`, `number served`. */
const COUNTING_WORD = /^(?:no|num|number|n\u00famero|numero|num\u00e9ro)$/;

/** Words in headers of codes of digits, as used in several countries. */
export const CODE_WORD =
  /^(?:zip\d?|zipcode|postcode|postal|postalcode|plz|postleitzahl|postnummer|postnr|fips|geoid|insee|siren|siret|ean|gtin|upc|isbn|issn)$/;

/** Last words in headers of numbers that identify things. */
const NUMBERED_THING =
  /^(?:(?:game|user|order|customer|product|item|player|team|event|stop|trip|case|patient|member|device|object|record|person|client|student|project|transaction|match|vehicle|location)id|parcel|permit|account|acct|invoice|ticket|barcode|sku|imei|ein|npi|duns|naics|cnpj|cpf|kvk|ags|aktenzeichen|konto|belegnr|rechnungsnr|expediente|matricule|matricola|matr\u00edcula)$/;

/** Whether a header says that digits are ids: `permit_no`, but not `no_of_people`. */
export function isOfIds(header: string): boolean {
  const words = wordsOf(header);
  if (NUMBERED_THING.test(words.at(-1) ?? '')) return true;
  return words.some((word, i) => {
    if (words[i + 1] === 'of') return false;
    const counts = COUNTING_WORD.test(word) && i === 0 && words.length > 1;
    return (KEY_WORD.test(word) && !counts) || CODE_WORD.test(word);
  });
}

/** Whether a header is of versions: 1.4 and 1.40 are then different. */
export function isOfVersions(header: string): boolean {
  return wordsOf(header).some((word) => /^(?:versions?|ver|releases?|firmware)$/.test(word));
}

/** Words in headers of times, in several languages. */
const TIME_WORD =
  /^(?:time|times|timestamp|timestamps|ts|date|dates|datetime|day|epoch|unix|unixtime|created|updated|modified|logged|at|zeit|zeitpunkt|zeitstempel|datum|uhrzeit|fecha|hora|heure|horodatage|data|ora|tijd|tijdstip|dato|tid|czas|\u0434\u0430\u0442\u0430|\u0432\u0440\u0435\u043c\u044f)$/;

/** Whether a header is of times. */
export function isOfTimes(header: string): boolean {
  return wordsOf(header).some((word) => TIME_WORD.test(word));
}

/** Words in headers of dates. */
const DATE_WORD =
  /^(?:dates?|datum|d\u00e1tum|fecha|dato|tarih|kuup\u00e4ev|p\u00e4iv\u00e4m\u00e4\u00e4r\u00e4|tanggal|\u0434\u0430\u0442\u0430|.+(?:date|datum))$/;

/** Whether a header is of dates, or may be. */
export function isOfDates(header: string): 'yes' | 'perhaps' | 'no' {
  const words = wordsOf(header);
  if (words.some((word) => DATE_WORD.test(word))) return 'yes';
  return words.length === 1 && MAYBE_DATE_WORD.test(words[0] as string) ? 'perhaps' : 'no';
}

/** Headers of months, or of dates in some languages, that are of something else in others. */
const MAYBE_DATE_WORD =
  /^(?:data|tag|period|periode|periodo|month|monat|mois|mes|mese|maand|quarter|quartal|trimestre)$/;

/** Words in headers of codes for phones: +358. */
const DIAL_WORD =
  /^(?:dial|dialling|dialing|dialcode|calling|callingcodes?|phone|phones|phonecode|telephone|tel|telefon|telefono|tel\u00e9fono|t\u00e9l\u00e9phone|mobile|mobil|handy|cell|fax|whatsapp|prefix|prefijo|prefisso|prefixo|indicatif|vorwahl|landesvorwahl|l\u00e4ndervorwahl|landnummer|idd|isd|ddi)$/;

export function isOfDialling(header: string): boolean {
  return wordsOf(header).some((word) => DIAL_WORD.test(word));
}

/** Words in headers of differences, which are written with a plus. */
const CHANGE_WORD =
  /^(?:change|changes|diff|difference|delta|gain|gains|growth|net|swing|increase|offset|adjustment|plusminus|points|score|\u00e4nderung|ver\u00e4nderung|differenz|zuwachs|variation|\u00e9cart|\u00e9volution|variaci\u00f3n|cambio|diferencia|variazione|differenza|verschil)$/;

/** Whether a header is of differences or quantities, which may all have a plus. */
export function mayHavePlus(header: string): boolean {
  return isOfQuantities(header) || wordsOf(header).some((word) => CHANGE_WORD.test(word));
}

/** Words in headers of countries, their parts and languages, which have codes of two letters. */
const PLACE_OR_LANGUAGE =
  /^(?:code|countr(?:y|ies)|countrycode|continents?|origin|destination|nations?|nationality|states?|provinces?|territory|region|geo|iso(?:2|a2|3166|639)?|a2|alpha2|alpha|cc|ccode|tld|languages?|langs?|languagecode|locales?|reporter|partner|l\u00e4nder|land|laender|staat|staaten|kanton|herkunft|sprachen?|pays|langues?|pa\u00eds(?:es)?|pais|idiomas?|lenguas?|paese|paesi|lingua|lingue|landen|taal|kraj|j\u0119zyk|spr\u00e5k|sprog|maa|kieli|\u0441\u0442\u0440\u0430\u043d\u0430|\u044f\u0437\u044b\u043a)$/;

/** Whether two letters below a header are a code of a country or a language. */
export function isOfCountriesOrLanguages(header: string): boolean {
  return wordsOf(header).some((word) => PLACE_OR_LANGUAGE.test(word));
}

/** Words in headers of what happened at a moment. They may also head counts. */
const EVENT_WORD =
  /^(?:opened|closed|starts?|started|ends?|ended|begins?|began|issued|published|posted|expires?|expired|expiry|registered|joined|arrival|departure|birth|born|dob|seen|received|sent|accessed|visited|deleted|edited|submitted|resolved|completed|recorded|observed|measured|scheduled|due|dt|ms|.*(?:date|time|stamp|datum|zeit|fecha))$/;

/** Whether a header is of times, or of what happened at one. */
export function isOfMoments(header: string): boolean {
  return isOfTimes(header) || wordsOf(header).some((word) => EVENT_WORD.test(word));
}

/** Whether a header says that digits are an amount: money, a unit, or a count. */
export function isOfQuantities(header: string): boolean {
  if (isOfIds(header)) return false;
  return titleAndUnit(header).unit !== undefined || isOfAmounts(header);
}

/** Whether a header is of money or of counts. */
export function isOfAmounts(header: string): boolean {
  return wordsOf(header).some(
    (word, i, words) =>
      MONEY_WORD.test(word) ||
      COUNT_WORD.test(word) ||
      (i === 1 && word === 'of' && KEY_WORD.test(words[0] as string)),
  );
}

/** Last words in headers that can only be a unit, and the unit as it is written. */
const UNITS: Readonly<Record<string, string>> = {
  ...{ mm: 'mm', cm: 'cm', km: 'km', kg: 'kg', mg: 'mg', ml: 'ml', ha: 'ha' },
  ...{ m2: 'm²', sqm: 'm²', km2: 'km²', m3: 'm³', sqft: 'sq ft', lbs: 'lb' },
  ...{ kwh: 'kWh', mwh: 'MWh', kmh: 'km/h', mph: 'mph', celsius: '°C', fahrenheit: '°F' },
  ...{ pct: '%', percent: '%', percentage: '%' },
  ...Object.fromEntries(CURRENCIES.map((code) => [code.toLowerCase(), code])),
};

type Titled = { readonly title: string; readonly unit?: string };

/**
 * Splits a header into a title and a unit: `Weight (kg)` is `Weight`, in kg. A title keeps a unit
 * that is its last word: `dbh_cm` is `Dbh cm`.
 */
export function titleAndUnit(header: string): Titled {
  const { before, within, unit } = bracketsOf(header);
  if (unit !== undefined) return { title: titleOf(before), unit: within };
  const title = titleOf(header);
  const words = wordsOf(header);
  const last = words.at(-1) as string;
  return words.length > 1 && Object.hasOwn(UNITS, last)
    ? { title, unit: UNITS[last] as string }
    : { title };
}

/**
 * The titles and units of all headers of a table. Headers that differ in brackets at their end
 * alone keep these in their titles: `Pupils (m)` and `Pupils (w)`. They are units then only if none
 * can be something else, as in `Weight (kg)` and `Weight (lbs)`.
 */
export function titlesAndUnits(headers: readonly string[]): readonly Titled[] {
  const parts = headers.map(bracketsOf);
  const alike = new Map<string, { count: number; areUnits: boolean }>();
  const keyOf = ({ before }: Bracketed) => titleOf(before).toLowerCase();
  for (const part of parts) {
    const { count, areUnits } = alike.get(keyOf(part)) ?? { count: 0, areUnits: true };
    const isUnit = part.within === '' || part.unit === 'sure';
    alike.set(keyOf(part), { count: count + 1, areUnits: areUnits && isUnit });
  }
  const wordOf = ({ within }: Bracketed) => (within.length > 1 ? within.toLowerCase() : within);
  const words = new Set(parts.map(wordOf));
  return parts.map((part, i) => {
    const header = headers[i] as string;
    const { count = 0, areUnits } = alike.get(keyOf(part)) ?? {};
    const hasCounterpart = COUNTERPARTS[wordOf(part)]?.some((other) => words.has(other));
    if (part.within === '' || (count === 1 && !hasCounterpart)) return titleAndUnit(header);
    return { title: titleOf(header), unit: areUnits ? part.within : undefined };
  });
}

/** What stands in brackets in other columns if these letters and words are no units. */
const COUNTERPARTS: Readonly<Record<string, readonly string[]>> = {
  m: ['w', 'f'],
  w: ['m'],
  M: ['W', 'F'],
  W: ['M'],
  min: ['max', 'maximum', 'mean', 'avg', 'average', 'median', 'mittel', 'moy'],
};

type Bracketed = {
  readonly before: string;
  readonly within: string;
  /** `perhaps` if it may also be something else, as `min` and `m`. */
  readonly unit?: 'sure' | 'perhaps';
};

/** What stands before the brackets at a header's end and within them, and whether that is a unit. */
function bracketsOf(header: string): Bracketed {
  const trimmed = header.trim();
  const [, before, space, within = ''] = IN_BRACKETS.exec(trimmed) ?? [];
  if (before === undefined) return { before: trimmed, within: '' };
  const isPlural = within === 's' && space === '' && !isOfTimes(before) && /\p{L}$/u.test(before);
  const isCapital = !/\p{Ll}/u.test(trimmed);
  return { before, within, unit: isPlural ? undefined : unitOf(within, isCapital) };
}

const IN_BRACKETS = /^(.*\S)(\s*)[([]([^()[\]]{1,20})[)\]]$/;

/**
 * Whether a text in brackets is a unit. Brackets also hold years, sexes, systems, sources and
 * `min` beside `max`. A letter is a unit only in the case of the unit, or in a header in capitals.
 */
function unitOf(text: string, isCapital: boolean): 'sure' | 'perhaps' | undefined {
  const lower = text.toLowerCase();
  if (lower.includes('/')) return isRatio(text) ? 'sure' : undefined;
  if (Object.hasOwn(UNITS, lower) || WITH_SIGN.test(text)) return 'sure';
  const isLetter = LETTERS.has(text) || (isCapital && LETTERS.has(lower));
  return isLetter || WORDS.has(lower) ? 'perhaps' : undefined;
}

/** Whether a text is a unit by another: `km/h`, but not `m/w`, `n/a` or `2019/20`. */
function isRatio(text: string): boolean {
  const [over = '', under = '', ...more] = text.split('/').map((part) => part.trim());
  if (more.length > 0 || !BELOW.has(under.toLowerCase())) return false;
  if (over.length + under.length === 2) return over === '1' || LETTER_BY_LETTER.has(text);
  const [word = ''] = over.split(' ');
  return ABOVE.has(over.toLowerCase()) || WITH_SIGN.test(text) || unitOf(word, false) !== undefined;
}

/** `%`, `°C`, `m²`, `€`, `% of total`. */
const WITH_SIGN = /[%\u2030\u00b0\u00b2\u00b3\u00b5\u03bc\p{Sc}]/u;

/** Units of one letter, which are recognised only in brackets. */
const LETTERS = new Set(['m', 'g', 'l', 'L', 't', 's', 'h', 'W', 'V', 'A', 'K']);

/** Units that are recognised only in brackets. */
const WORDS = new Set([
  ...['kw', 'mw', 'gw', 'wh', 'kv', 'pa', 'hpa', 'kpa', 'hz', 'khz', 'mhz', 'ghz', 'db', 'ms'],
  ...['min', 'sec', 'hrs', 'yrs', 'days', 'hours', 'minutes', 'seconds', 'weeks', 'months'],
  ...['years', 'ft', 'in', 'yd', 'mi', 'nm', 'lb', 'oz', 'gal', 'ac', 'acres', 'hectares'],
  ...['miles', 'feet', 'inches', 'yards', 'meters', 'metres', 'kilometers', 'kilometres'],
  ...['liters', 'litres', 'tons', 'tonnes', 'grams', 'kilograms', 'pounds', 'people', 'persons'],
  ...['households', 'units', 'thousands', 'millions', 'billions', 'mn', 'bn', 'dollars', 'euros'],
  ...['cents', 'degrees', 'ppm', 'ppb', 'sq ft', 'sq mi', 'sq km', 'sq m', 'cu ft', 'cu m'],
]);

/** Further units before a slash, the units behind one, and the only letters on both sides. */
const ABOVE = new Set([
  ...['1', 'mol', 'mmol', 'umol', 'kcal', 'cal', 'kj', 'mj', 'gj', 'ug', 'ng', 'kt', 'mt', 'gt'],
  ...['kb', 'mb', 'gb', 'bit', 'kbit', 'mbit', 'gbit', 'cfu', 'veh', 'vehicles'],
]);
const BELOW = new Set([
  ...'m m2 m\u00b2 m3 m\u00b3 cm cm2 cm\u00b2 cm3 cm\u00b3 mm km km2 km\u00b2 ha l dl ml kg g mg t s sec min h hr d day week month year yr a kwh mwh mi ft lb gal acre capita person 100g 100km mol k \u00b0c'.split(
    ' ',
  ),
  '100 g',
  '100 km',
]);
const LETTER_BY_LETTER = new Set([
  ...['m/s', 'g/l', 'g/L', 'g/m', 'l/s', 'L/s', 'l/h', 't/h', 't/d', 't/a', 'J/g', 'N/m', 'W/m'],
]);
