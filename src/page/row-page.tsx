import type { DatasetBlock } from '../block/block.ts';
import { summariseBlock } from '../block/describe-block.ts';
import type { DatasetProfile, Manifest, MapDrawing } from '../block/manifest.ts';
import type { Fault, Warning } from '../problem/errors.ts';
import { numberText } from '../text/wording.ts';
import { ownMember, type Row } from '../values/field-type.ts';
import { isNumeric, typeOf } from '../values/field-types.ts';
import { isUnitInTitle } from '../values/number.ts';
import { About } from './block-page.tsx';
import { hrefOf, type PageAddress, type PageState } from './block-view.ts';
import { keyed } from './catalog-page.tsx';
import { inTurns, type Turn } from './in-turns.ts';
import { rowOnMap, scaleText, svgOfMap } from './map-frame.ts';
import { page, trusted, Unused, Warnings } from './page-shell.tsx';
import { Mended } from './refused.tsx';
import { columnsOfRows, columnWriter } from './table-body.ts';

/** All that the page of a row shows. */
export type RowView = {
  /** As the addresses of its rows take arguments. */
  readonly block: DatasetBlock;
  readonly manifest: Manifest;
  readonly profile?: DatasetProfile | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** The query as sent; names may repeat. */
  readonly given: PageState;
  /** Names in the address that a row's address does not take. */
  readonly unused: readonly string[];
  readonly address: PageAddress;
  /** The caller's key, which links repeat. */
  readonly key?: string | undefined;
  readonly outcome: RowOutcome | RefusedOutcome;
  readonly turn: Turn;
};

type RowOutcome = {
  readonly kind: 'row';
  readonly row: Row;
  /** The row's own address, of which a page may have several. */
  readonly canonical: string;
  readonly warnings: readonly Warning[];
};

type RefusedOutcome = {
  readonly kind: 'refused';
  readonly title: string;
  readonly detail: string;
  readonly faults: readonly Fault[];
  /** The end of the address of the row that was probably meant. */
  readonly suggestion?: string | undefined;
  readonly runId: string;
};

/** A row's page as HTML: its fields, its place, and the way to the others. */
export function renderRowPage(view: RowView): Promise<string> {
  const { block, manifest, address, key, outcome } = view;
  const { toRoot } = address;
  const isFound = outcome.kind === 'row';
  const name = isFound ? nameOf(block, outcome.row) : outcome.title;
  return page({
    title: `${isFound ? '' : 'Error: '}${name} · ${block.title}`,
    description: `${name}: one of the ${block.noun} of ${block.title}.`,
    toRoot,
    key,
    ...(isFound ? { canonical: outcome.canonical } : {}),
    children: (
      <main>
        <header>
          <h1>{name}</h1>
          <p>
            {isFound ? `One of ${numberText(manifest.rows)} ${block.noun}: ` : 'All rows: '}
            <a href={`${toRoot}${summariseBlock(block).url.slice(1)}${keyed(key)}`}>
              {block.title}
            </a>
          </p>
        </header>
        <Unused names={view.unused} of="A row’s address" />
        {isFound ? (
          <Fields view={view} found={outcome} name={name} />
        ) : (
          <Refused view={view} refused={outcome} />
        )}
        <About view={view} />
      </main>
    ),
  });
}

/** Characters of a row's name. */
const MOST_NAME = 80;

/** What people call a row: its primary key, or else its first name. */
function nameOf({ primaryKey, keyFields, fields, noun }: DatasetBlock, row: Row): string {
  const isName = (name: string) =>
    fields.some((field) => field.name === name && typeOf(field).isName);
  const texts = primaryKey ?? keyFields.filter((name) => isName(name) && row[name]).slice(0, 1);
  const name = texts.map((text) => row[text]).join(', ');
  if (name.trim() === '') return `One of the ${noun}`;
  return name.length <= MOST_NAME ? name : `${name.slice(0, MOST_NAME).toWellFormed()}…`;
}

function Fields(props: { view: RowView; found: RowOutcome; name: string }) {
  const { view, found, name } = props;
  const { block, profile, key } = view;
  const { row, warnings } = found;
  return (
    <>
      <Warnings warnings={warnings} />
      <div class="one-row">
        <dl>
          {inTurns(columnsOfRows(view), view.turn, (field) => {
            const { title, unit } = field;
            const text = columnWriter(field, view, [row]).write(row[field.name] ?? null);
            const hasUnit = isNumeric(field) && unit !== undefined && !isUnitInTitle(unit, title);
            return (
              <>
                <dt>{title}</dt>
                <dd>
                  {text === '' ? <span class="quiet">no value</span> : trusted(text)}
                  {text !== '' && hasUnit ? <span class="quiet"> {unit}</span> : ''}
                </dd>
              </>
            );
          })}
        </dl>
        <PlaceFigure block={block} map={profile?.map} row={row} name={name} />
      </div>
      <Files block={block} state={key === undefined ? [] : [['api_key', key]]} />
    </>
  );
}

function Files({ block, state }: { block: DatasetBlock; state: PageState }) {
  const hasPlaces = block.formats.includes('geojson');
  return (
    <p class="files">
      This row as <a href={hrefOf([...state, ['_format', 'json']])}>JSON</a>
      {hasPlaces ? ' · ' : ''}
      {hasPlaces ? <a href={hrefOf([...state, ['_format', 'geojson']])}>GeoJSON</a> : ''}
    </p>
  );
}

function Refused({ view, refused }: { view: RowView; refused: RefusedOutcome }) {
  const { block, address, key, given } = view;
  const { detail, faults, suggestion, runId } = refused;
  const meant = `${address.toRoot}${summariseBlock(block).url.slice(1)}/rows/${suggestion}`;
  return (
    <section class="refused" tabindex={-1} aria-label="What is wrong">
      {(faults.length === 0 ? [{ detail }] : faults).map((fault) => (
        <p>
          {fault.detail} <Mended fault={fault} block={block} state={given} />
        </p>
      ))}
      {suggestion !== undefined && (
        <a class="button" href={`${meant}${keyed(key)}`}>
          Go there
        </a>
      )}
      <p class="quiet">Run {runId}</p>
    </section>
  );
}

/** Where one row is, among all places of its dataset; nothing if it has no place on the map. */
function PlaceFigure(props: {
  block: DatasetBlock;
  map: MapDrawing | undefined;
  row: Row;
  name: string;
}) {
  const { block, map, row, name } = props;
  const { geometry } = block;
  if (map === undefined || geometry === undefined) return null;
  const view = svgOfMap(map);
  if (map.kind === 'regions') {
    const region = geometry.kind === 'regions' ? (row[geometry.region] as string) : '';
    const shape = ownMember(map.shapes, region) as string | undefined;
    if (shape === undefined) return null;
    return (
      <figure class="map">
        <svg {...view} aria-label={`Map with ${name}`}>
          <path class="out" d={Object.values(map.shapes).join('')} />
          <path class="k4" d={shape} />
        </svg>
        <figcaption>
          {name} among all {block.noun}.
        </figcaption>
      </figure>
    );
  }
  const place = rowOnMap(map, geometry, row);
  if (place?.isInside !== true) return null;
  return (
    <figure class="map">
      <svg {...view} aria-label={`Map with ${name}`}>
        <rect class="ground" width={map.width} height={map.height} />
        <path class="others" d={map.others} />
        <circle cx={place.x.toFixed(1)} cy={place.y.toFixed(1)} r="12" />
      </svg>
      <figcaption>
        {name} among all {block.noun}, north up, {scaleText(map)} from side to side.
      </figcaption>
    </figure>
  );
}
