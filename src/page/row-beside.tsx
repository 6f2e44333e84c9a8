import type { DatasetBlock } from '../block/block.ts';
import type { MapDrawing } from '../block/manifest.ts';
import type { Language } from '../languages/language.ts';
import { curlOfAddress } from '../snippets/curl.ts';
import { distanceText, shorten } from '../text/wording.ts';
import { ownMember, type Row } from '../values/field-type.ts';
import { isNumeric, typeOf } from '../values/field-types.ts';
import { DISTANCE, type Geometry, placeOfRow } from '../values/places.ts';
import { columnWriter } from './cells.ts';
import { hrefOf, type PageState } from './links.ts';
import { rowOnMap, scaleText } from './map-frame.ts';
import { trusted } from './page-shell.tsx';
import { isPlace } from './row-facts.ts';
import { rowName } from './row-name.ts';
import type { RowLink, RowOutcome, RowView } from './row-view.ts';

type AsideProps = { readonly view: RowView; readonly found: RowOutcome; readonly name: string };

/** Whether there is something to show beside the facts: a place, or a region. */
export function isSomewhere({ block: { geometry }, profile }: RowView, row: Row): boolean {
  return (
    (geometry && placeOfRow(row, geometry)) !== undefined ||
    regionOf(geometry, profile?.map, row) !== undefined
  );
}

/** The outline of a row's region, if it has one. */
function regionOf(geometry: Geometry | undefined, map: MapDrawing | undefined, row: Row) {
  if (geometry?.kind !== 'regions' || map?.kind !== 'regions') return undefined;
  return ownMember(map.shapes, String(row[geometry.region])) as string | undefined;
}

/** Beside a row's facts: where it is, and what is near. */
export function WhereAndNear({ view, found, name }: AsideProps) {
  return (
    <aside aria-label={view.language.say('Where it is')}>
      <Where view={view} row={found.row} name={name} />
      <Nearby view={view} nearest={found.beside.nearest} />
    </aside>
  );
}

/** How programs and people refer to the row. */
export function HowToRefer({ view, found, name }: AsideProps) {
  return (
    <>
      <ForPrograms view={view} canonical={found.canonical} />
      <Cite view={view} canonical={found.canonical} name={name} />
    </>
  );
}

/** Decimals of degrees: about a metre. */
const DECIMALS = 5;

/** The row's place on a map, and as a link that opens the reader's own. */
function Where({ view, row, name }: { view: RowView; row: Row; name: string }) {
  const { block, profile, language } = view;
  const { geometry } = block;
  const { say } = language;
  const [longitude, latitude] = (geometry && placeOfRow(row, geometry)) ?? [];
  return (
    <section>
      <h2 class="block">{say('Where')}</h2>
      {profile?.map !== undefined && (
        <PlaceFigure block={block} row={row} name={name} language={language} map={profile.map} />
      )}
      {longitude === undefined || latitude === undefined ? (
        ''
      ) : (
        <p class="quiet">
          <a href={`geo:${latitude},${longitude}`}>
            {latitude.toFixed(DECIMALS)}, {longitude.toFixed(DECIMALS)}
          </a>
          {geometry?.kind === 'regions' ? `, ${say('its middle')}` : ''}
        </p>
      )}
    </section>
  );
}

/** Units of a map from side to side, for each unit of the mark's radius. */
const PER_RADIUS = 50;

/** Where one row is, among all places of its dataset; nothing if it has no place on the map. */
function PlaceFigure(props: {
  block: DatasetBlock;
  map: MapDrawing;
  row: Row;
  name: string;
  language: Language;
}) {
  const { block, map, row, name, language } = props;
  const { geometry } = block;
  const view = {
    viewBox: `0 0 ${map.width} ${map.height}`,
    preserveAspectRatio: 'xMinYMin meet',
    role: 'img',
  };
  const label = language.say('Map with {name}', { name: shorten(name) });
  if (map.kind === 'regions') {
    const shape = regionOf(geometry, map, row);
    if (shape === undefined) return null;
    return (
      <figure class="map">
        <svg {...view} aria-label={label}>
          <path class="area" d={Object.values(map.shapes).join('')} />
          <path class="mark" d={shape} />
        </svg>
      </figure>
    );
  }
  const place = geometry && rowOnMap(map, geometry, row);
  if (place?.isInside !== true) return null;
  return (
    <figure class="map">
      <svg {...view} class="framed" aria-label={label}>
        {map.outline === undefined ? '' : <path class="land" d={map.outline.path} />}
        <path class={map.squareSide ? 'pale' : 'other'} d={map.others} />
        <circle
          class="mark"
          cx={place.x.toFixed(1)}
          cy={place.y.toFixed(1)}
          r={(map.width / PER_RADIUS).toFixed(1)}
        />
      </svg>
      <figcaption>
        {language.say('Among all {noun}, north up, {width} from side to side.', {
          noun: block.noun,
          width: scaleText(map, language),
        })}
      </figcaption>
    </figure>
  );
}

/** The rows that are nearest to this one. */
function Nearby({ view, nearest }: { view: RowView; nearest: readonly RowLink[] }) {
  if (nearest.length === 0) return null;
  return (
    <section>
      <h2 class="block">{view.language.say('Nearby')}</h2>
      <ol class="near">
        {nearest.map(({ row, href }) => {
          const { name, field } = rowName(view, row);
          const more = moreOf(view, row, field);
          return (
            <li>
              <a href={href} dir="auto">
                {shorten(name, MOST_OF_NAME)}
              </a>
              <b>{distanceText(Number(row[DISTANCE.name]), view.language.name)}</b>
              {more === undefined ? '' : <small dir="auto">{more}</small>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Characters of another row's name, and of what else is said of it. */
export const MOST_OF_NAME = 60;

/** One more fact of a row that is near: the next of its key fields. */
function moreOf(view: RowView, row: Row, said: string | undefined) {
  const { block } = view;
  const field = block.keyFields
    .filter((name) => name !== said && row[name] != null && !isPlace(row[name]))
    .map((name) => block.fields.find((one) => one.name === name))
    .find((one) => one !== undefined);
  if (field === undefined) return undefined;
  const value = row[field.name] ?? null;
  if (typeof value === 'string' && typeOf(field).json === 'string' && typeOf(field).isName) {
    return shorten(value, MOST_OF_NAME);
  }
  const text = trusted(columnWriter(field, view, [row]).write(value));
  if (!isNumeric(field)) return text;
  return field.unit === undefined ? (
    <>
      {field.title}: {text}
    </>
  ) : (
    <>
      {text} {field.unit}
    </>
  );
}

/** How a program asks for the row. */
function ForPrograms({ view, canonical }: { view: RowView; canonical: string }) {
  const { block, key } = view;
  const state: PageState = key === undefined ? [] : [['api_key', key]];
  const { say, parts } = view.language;
  const json = <a href={hrefOf([...state, ['_format', 'json']])}>JSON</a>;
  return (
    <section>
      <h2 class="block">{say('For programs')}</h2>
      <pre>
        <code>{curlOfAddress(canonical, key)}</code>
      </pre>
      <p class="files quiet">
        {parts('This row as {format}', { format: json })}
        {block.formats.includes('geojson') ? (
          <>
            {' · '}
            <a href={hrefOf([...state, ['_format', 'geojson']])}>GeoJSON</a>
          </>
        ) : (
          ''
        )}
      </p>
    </section>
  );
}

/** How people refer to the row. When it was looked at, only they know. */
function Cite({ view, canonical, name }: { view: RowView; canonical: string; name: string }) {
  const { block, manifest } = view;
  const { title, publisher, date } = manifest.source;
  const { version } = manifest;
  const { say } = view.language;
  const parts = [publisher, title, block.title, date, say('version {version}', { version })];
  const said = [...new Set(parts.filter((part) => part !== undefined))];
  return (
    <section>
      <h2 class="block" id="cite">
        {say('How to cite')}
      </h2>
      <p class="quiet cite" dir="auto">
        “{shorten(name)}”. {said.join(', ')}. {canonical}
      </p>
      {canonical.includes(`${version}-`) ? (
        <p class="quiet">
          {say('The address is of this version: another may have other rows there.')}
        </p>
      ) : (
        ''
      )}
    </section>
  );
}
