import { ENGLISH } from '../languages/english.ts';
import type { Language } from '../languages/language.ts';
import type { LanguageName } from '../languages/names.ts';

/** Where a dataset comes from, for people who build on its answers. */
export type DataSource = {
  readonly title: string;
  readonly publisher?: string;
  readonly url?: string;
  readonly license?: string;
  /** The day or month the data were current, ISO 8601. */
  readonly date?: string;
  readonly changes?: string;
};

/** The source of the data that a block computes with. It has a version instead of a date. */
export type VersionedSource = Required<Pick<DataSource, 'title' | 'publisher' | 'license'>> &
  Pick<DataSource, 'url'> & { readonly version: string };

/**
 * The sources and licences of data, in the form of a Data Package. The first of each is the main
 * one.
 */
export type Origin = {
  readonly sources: readonly (Pick<DataSource, 'title' | 'publisher' | 'date' | 'changes'> & {
    readonly path?: string;
  })[];
  /** A license has a `name`, which is an identifier such as CC0-1.0, or the `path` of its text. */
  readonly licenses?: readonly {
    readonly name?: string;
    readonly title?: string;
    readonly path?: string;
  }[];
};

/** The main source and licence, as descriptions and pages show them. */
export function sourceOf({ sources: [source], licenses: [terms] = [] }: Origin): DataSource {
  if (source === undefined) throw new TypeError('Data must have a source.');
  const { title, publisher, path: url, date, changes } = source;
  const license = terms?.title ?? terms?.name ?? terms?.path;
  return Object.fromEntries(
    Object.entries({ title, publisher, url, license, date, changes }).filter(
      ([, text]) => text !== undefined,
    ),
  ) as DataSource;
}

/** Rows of a file that could not be read as they stand: mended, and left out. */
export type BadRowCounts = { readonly mended: number; readonly setAside: number };

/** What became of them, a sentence; undefined if there are none. */
export function badRowsSentence(
  { rows, badRows }: Pick<Manifest, 'rows' | 'badRows'>,
  { say }: Language = ENGLISH,
): string | undefined {
  const { mended = 0, setAside: count = 0 } = badRows ?? {};
  const all = rows + count;
  if (count > 0) {
    if (mended === 0)
      return say('{count} of {all} rows of the file could not be read.', { count, all });
    return mended === 1
      ? say('{count} of {all} rows of the file could not be read; 1 was mended.', { count, all })
      : say('{count} of {all} rows of the file could not be read; {mended} were mended.', {
          count,
          all,
          mended,
        });
  }
  if (mended === 0) return undefined;
  return mended === 1
    ? say('1 of {all} rows of the file was mended.', { all })
    : say('{mended} of {all} rows of the file were mended.', { mended, all });
}

/** Statistics of one field over all rows. */
export type FieldStatistics = {
  readonly nulls: number;
  readonly distinct: number;
  /** The bytes of all values as text, in UTF-8. */
  readonly bytes: number;
  readonly min?: number;
  readonly max?: number;
  /** The distinct values, if there are few. */
  readonly values?: readonly string[];
  /** The bytes of all rows with the commonest key. Equality with one key never reads more. */
  readonly mostBytesOfKey?: number;
};

/**
 * What the importer learned about a dataset. Each function contains it, so that no request looks it
 * up.
 */
export type Manifest = {
  readonly block: string;
  readonly version: string;
  readonly rows: number;
  /** Absent if the file has none. */
  readonly badRows?: BadRowCounts;
  /** The total size of the rows as their store counts it. */
  readonly bytes: number;
  /** How many rows the store keeps together. */
  readonly rowsPerShard: number;
  readonly rowsPerChunk: number;
  readonly source: DataSource;
  readonly fields: Readonly<Record<string, FieldStatistics>>;
  /** For texts, a value whose numbers are the sums of those of the other values. */
  readonly totals?: Readonly<Record<string, string>>;
  /** How many values of its area field name an area, and those that name none with their rows. */
  readonly areas?: {
    readonly kind: AreaDrawing['kind'];
    readonly found: number;
    readonly unfound?: { readonly values: number; readonly rows: number };
  };
};

/**
 * What a page shows of a dataset besides its rows. It is made at import and loaded with the first
 * page.
 */
export type DatasetProfile = {
  /** For each range field, how its values are spread. */
  readonly bins: Readonly<Record<string, Bins>>;
  /** For each text field, values to suggest for a filter, the most common first. */
  readonly suggestions: Readonly<Record<string, readonly string[]>>;
  /** For each number, the median of all rows. */
  readonly medians: Readonly<Record<string, number>>;
  /** For each number that is not whole, the most decimals of its values, as far as some tell. */
  readonly decimals: Readonly<Record<string, number>>;
  /** For texts, and for yes or no: the commonest values with their rows, the most common first. */
  readonly commonest: Readonly<Record<string, readonly ValueCount[]>>;
  /** For texts, a value whose numbers count those of the other values too. */
  readonly totals?: Readonly<Record<string, TotalValue>>;
  /** Of few rows that have names: two numbers that go together. */
  readonly together?: { readonly x: string; readonly y: string };
  readonly map?: MapDrawing;
  readonly areas?: AreaDrawing;
  readonly picture?: SmallPicture;
};

/** `isSum` if the others add up to it; else it is called a total, and others may overlap. */
export type TotalValue = { readonly value: string; readonly isSum: boolean };

/**
 * A histogram. Bin i has the rows whose key is from edge i on and below the next; the last bin also
 * has its upper edge. Bins may have different widths.
 */
export type Bins = {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  /** Set if bins grow tenfold and tenfold: the scale is logarithmic. */
  readonly isLog?: true;
};

/** A value as text, and how many rows have it. */
export type ValueCount = readonly [value: string, rows: number];

/** The figure that a block's page opens with, for a list of blocks. */
export type SmallPicture = {
  /** Its marks as SVG, in the classes of the pages' style. */
  readonly svg: string;
  /** What it shows, in each language of pages. */
  readonly said: Readonly<
    Record<LanguageName, { readonly title: string; readonly statement?: string }>
  >;
};

/** Areas that are known by their names: of the United States, and of the earth. */
export const AREA_KINDS = ['us-states', 'us-counties', 'countries'] as const;
export type AreaKind = (typeof AREA_KINDS)[number];

/** The sides of a part of the earth, in degrees. East is more than 180 if it goes over that meridian. */
type Sides = readonly [west: number, south: number, east: number, north: number];

/** The areas that the values of a field name, as a map without its numbers. */
export type AreaDrawing = {
  /** Whose areas these are: known ones, or those of the block's own file. */
  readonly kind: AreaKind | 'own';
  /** The field whose values name them. */
  readonly field: string;
  readonly width: number;
  readonly height: number;
  /** The class of the map's ratio in the style; absent of a drawing that is as large as its areas. */
  readonly ratio?: string;
  /** The data of an SVG path for each area, by its name: of a country, the code of ISO 3166. */
  readonly shapes: Readonly<Record<string, string>>;
  /** The names of areas whose shapes have codes. */
  readonly names?: Readonly<Record<string, string>>;
  /** The area that a value names, by the value as text. Several values may name one. */
  readonly areaOf: Readonly<Record<string, string>>;
  /** What lies below the areas, and above them: paths of a look. */
  readonly under?: string;
  readonly over?: string;
  /** What it shows, and what is half and twice as wide. */
  readonly frame?: Sides;
  readonly moves?: { readonly closer?: Sides; readonly wider?: Sides };
  /** The degrees of points along a grid over it, for the script that moves it. */
  readonly mesh?: readonly (readonly [longitude: number, latitude: number])[];
  /** Of a part: what the whole map shows. */
  readonly home?: Sides;
  /** Values that name no area of the map: how many, in how many rows, and the commonest. */
  readonly unfound?: {
    readonly values: number;
    readonly rows: number;
    readonly first: readonly ValueCount[];
  };
};

/** A map's size in its own units, and its sides in degrees. Both are linear, and north is up. */
export type MapFrame = {
  readonly width: number;
  readonly height: number;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
};

/** A map without its marks. */
export type MapDrawing = MapFrame &
  (
    | {
        readonly kind: 'regions';
        /** For each region, the data of an SVG path. */
        readonly shapes: Readonly<Record<string, string>>;
        /** Set if these have fewer corners than the regions of the file. */
        readonly isSimplified?: true;
      }
    | {
        readonly kind: 'points';
        /**
         * The data of an SVG path with all places in the frame: dots, or squares that have any. It
         * is drawn faintly behind the marks.
         */
        readonly others: string;
        /** The side of the squares, in the map's units. */
        readonly squareSide?: number;
        /**
         * What lies below the points, as the data of an SVG path, and whether the frame has all of
         * it.
         */
        readonly outline?: { readonly path: string; readonly isWhole: boolean };
        /** Set if nearly all places are in the United States, and these are far from each other. */
        readonly isOfUs?: true;
      }
  );
