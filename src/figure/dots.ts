import type { Language } from '../languages/language.ts';
import { setApart } from '../text/wording.ts';
import type { Row } from '../values/field-type.ts';
import type { Field } from '../values/field-types.ts';
import { DISTANCE } from '../values/places.ts';
import { placesText } from './cells.ts';
import { groundOf, othersOf, sizeOf } from './drawing.ts';
import {
  type Ground,
  lengthText,
  type Pixel,
  type Place,
  type Rect,
  roundBelow,
} from './ground.ts';
import { distanceText, farthestSentence, placesAloud, placeText } from './map-words.ts';
import { type Drawn, emptyFigure, type Mark, type MarkKind } from './mark.ts';
import type { PlacesQuestion } from './question.ts';
import { type At, cutName, type Shape } from './shape.ts';
import { noRows, sentence, sentenceCase, type Words } from './words.ts';

/** Circles on a map: a circle is one row, and leads to it. */
export const dots: MarkKind = {
  title: 'circles on a map',
  of: 'places',
  draw: (question) => drawDots(question as PlacesQuestion),
};

/** Circles of a map: as many as the most rows of one answer. More rows become squares. */
export const MOST_DOTS = 1000;

/** The nearest circles have a number, as in the list beside them. */
const MOST_NUMBERED = 9;

const RADIUS = { numbered: 10, few: 6.5, many: 4.5 } as const;

/** From here on circles are smaller. */
const MANY = 200;

/** Letters of a name, and of an address, in a sentence. The table has them whole. */
const LONGEST_SAID = 60;

type Dot = {
  readonly row: Row;
  readonly place: Place;
  readonly name: string;
  /** Its street and number. */
  readonly address?: string;
};

function drawDots(question: PlacesQuestion): Drawn {
  const { places, known, here, beyond } = question;
  const { geometry, nameField, addressField, rows, total } = places;
  const { language, noun } = known;
  const { say } = language;
  const shown = rows.slice(0, MOST_DOTS);
  const nameOf = (row: Row, otherwise: string) => {
    const named = nameField === undefined ? null : row[nameField];
    return named == null || named === '' ? otherwise : String(named);
  };
  const all = shown.flatMap((row): Dot[] => {
    const [longitude, latitude] = [row[geometry.longitude], row[geometry.latitude]];
    if (typeof longitude !== 'number' || typeof latitude !== 'number') return [];
    const name = nameOf(row, placeText([longitude, latitude], language));
    return [{ row, place: [longitude, latitude], name, address: addressOf(row, addressField) }];
  });
  const title = sentenceCase(say('{noun} on the map', { noun }));
  const ground = groundOf(
    question,
    all.map(({ place }) => place),
  );
  const inside = all.filter(({ place }) => ground.at(...place) !== undefined);
  const [on, outside, nowhere] = [
    inside.length,
    all.length - inside.length + (beyond?.outside ?? 0),
    shown.length - all.length + (beyond?.nowhere ?? 0),
  ];
  if (total === 0) return { ...emptyFigure(language), title, caption: [noRows(question)] };
  const more = total - shown.length - (beyond?.outside ?? 0) - (beyond?.nowhere ?? 0);
  const caption: Words[] = [
    placesText({ on, outside, nowhere }, language),
    ...(more > 0
      ? [
          sentence(language, '{count} more are not shown; circles are {most} at most.', {
            count: more,
            most: MOST_DOTS,
          }),
        ]
      : []),
    ...nearestSentence(question, all),
    ...farthestSentence(
      question,
      ground,
      all.filter((dot) => ground.at(...dot.place) === undefined),
    ),
    ...(ground.note === undefined ? [] : [sentence(language, ground.note)]),
  ];
  if (inside.length === 0) return { ...emptyFigure(language), title, caption };
  // The table has those outside and those without a place, too, so that its rows add up.
  const [isOn, hasPlace] = [new Set(inside), new Set(all.map(({ row }) => row))];
  const listed = [
    ...[...inside, ...all.filter((dot) => !isOn.has(dot))].map(({ row, place, name, address }) => ({
      row,
      name,
      at: address ?? placeText(place, language),
    })),
    ...shown
      .filter((row) => !hasPlace.has(row))
      .map((row) => ({ row, name: nameOf(row, '–'), at: say('without a place') })),
  ];
  const marks = inside.map(
    ({ name, row }): Mark => ({
      name,
      numbers: [distanceOf(row)],
      href: question.linkOf(row),
    }),
  );
  // By their distance, wherever the map is.
  const numbers = new Map(
    here === undefined ? [] : all.slice(0, MOST_NUMBERED).map(({ row }, i) => [row, i + 1]),
  );
  const radius = inside.length > MANY ? RADIUS.many : RADIUS.few;
  // A page has no room for the addresses of very many.
  const haveAddresses = inside.length <= MANY;
  const circles = inside.map(({ row, place, name, address }): Shape => {
    const at = ground.spot(...(ground.at(...place) as Pixel));
    const number = numbers.get(row);
    const said = distanceOf(row);
    return {
      shape: 'link',
      href: question.linkOf(row),
      title: [
        name,
        ...(haveAddresses && address !== undefined ? [setApart(address)] : []),
        ...(said === null ? [] : [distanceText(said, language)]),
      ].join(', '),
      shapes: [
        {
          shape: 'circle',
          look: 'dot',
          ...at,
          radius: number === undefined ? radius : RADIUS.numbered,
        },
        ...(number !== undefined
          ? [
              {
                shape: 'text' as const,
                look: 'number',
                ...at,
                down: 0.36,
                anchor: 'middle' as const,
                runs: [{ text: String(number) }],
              },
            ]
          : []),
      ],
    };
  });
  const hasDistance = inside.some(({ row }) => distanceOf(row) !== null);
  return {
    title,
    form: say('Map'),
    caption,
    marks,
    aloud: placesAloud(
      inside.map(({ name }) => name),
      language,
    ),
    extent: all.length === 1 ? say('at 1 place') : say('at {count} places', { count: all.length }),
    picture: {
      layout: 'map',
      ...sizeOf(ground),
      hasOutside: outside > 0,
      // The first lie over the others.
      shapes: [
        ...ground.under(),
        ...othersOf(question, ground),
        ...ringsOf(question, ground),
        { shape: 'link', look: 'dots', shapes: circles.toReversed() },
        ...hereOf(question, ground),
        ...ground.over(inside.map(({ place }) => rectAround(ground, place, radius))),
      ],
    },
    numbers: {
      heads: [
        { title: sentenceCase(noun) },
        { title: addressField?.title ?? say('Place') },
        ...(hasDistance ? [{ title: say('Distance'), isNumber: true as const }] : []),
      ],
      rows: listed.map(({ row, at, name }) => ({
        cells: [
          numbers.has(row) ? `${numbers.get(row)} ${name}` : name,
          at,
          ...(hasDistance ? [spokenDistance(row, language)] : []),
        ],
        href: question.linkOf(row),
      })),
    },
  };
}

function addressOf(row: Row, field: Field | undefined): string | undefined {
  const value = field === undefined ? null : row[field.name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** How far a row is from the place that was asked for, in metres. */
function distanceOf(row: Row): number | null {
  const metres = row[DISTANCE.name];
  return typeof metres === 'number' ? metres : null;
}

function spokenDistance(row: Row, language: Language): string {
  const metres = distanceOf(row);
  return metres === null ? '–' : distanceText(metres, language);
}

function nearestSentence(
  { here, known: { language } }: PlacesQuestion,
  [nearest]: readonly Dot[],
): Words[] {
  const metres = nearest && distanceOf(nearest.row);
  if (here === undefined || nearest === undefined || metres == null) return [];
  const words = {
    name: [cutName(nearest.name, LONGEST_SAID)],
    distance: distanceText(metres, language),
  } as const;
  const { address } = nearest;
  return [
    address === undefined
      ? sentence(language, 'The nearest, {name}, is {distance} away.', words)
      : sentence(language, 'The nearest, {name}, is {distance} away: {address}.', {
          ...words,
          address: setApart(cutName(address, LONGEST_SAID)),
        }),
  ];
}

/** A label is above its ring, which would strike it through, and a little below the frame's top. */
const LABEL = { above: 5, least: 0.05 } as const;

/** Rings of distance around the place that was asked for. */
function ringsOf({ here, known }: PlacesQuestion, ground: Ground): Shape[] {
  const { height, width, pixelsPerMetre } = ground;
  const point = here && ground.at(...here);
  if (here === undefined || point === undefined) return [];
  const [x, y] = point;
  const step = roundBelow(Math.min(width, height) / 4 / pixelsPerMetre);
  return [step, 2 * step].flatMap((metres): Shape[] => [
    ground.ring(here, metres),
    {
      shape: 'text',
      look: 'degrees',
      ...ground.spot(x, Math.max(LABEL.least * height, y - metres * pixelsPerMetre - LABEL.above)),
      anchor: 'middle',
      runs: [{ text: lengthText(metres, known.language) }],
    },
  ]);
}

function hereOf({ here, known }: PlacesQuestion, { at, spot }: Ground): Shape[] {
  const point = here && at(...here);
  if (point === undefined) return [];
  const place = spot(...point);
  const moved = (where: At): At =>
    typeof where === 'number' ? [where, -HERE / 2] : [where[0], where[1] - HERE / 2];
  const side: At = [0, HERE];
  return [
    {
      shape: 'rect',
      look: 'here',
      x: moved(place.x),
      y: moved(place.y),
      width: side,
      height: side,
    },
    {
      shape: 'text',
      look: 'you',
      ...place,
      down: 1.7,
      anchor: 'middle',
      runs: [{ text: known.language.say('You') }],
    },
  ];
}

/** The side of the square where one is. */
const HERE = 12;

/** The room of a circle on a map, which is at most as large as its pixels. */
function rectAround({ at }: Ground, place: Place, radius: number): Rect {
  const [x, y] = at(...place) as Pixel;
  const room = radius + 2;
  return [x - room, y - room, x + room, y + room];
}
