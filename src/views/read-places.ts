import type { Members } from '../arguments/given.ts';
import { nameFieldOf } from '../block/block.ts';
import { groupingOf } from '../block/grouping.ts';
import { MOST_LIMIT } from '../block/options.ts';
import { BBOX } from '../block/parameter.ts';
import { widthsOfCells } from '../figure/cells.ts';
import { groundOf } from '../figure/drawing.ts';
import { figureOf, marksFor } from '../figure/figure.ts';
import { boxText } from '../figure/frame.ts';
import type { Address, Ground } from '../figure/ground.ts';
import type { Question } from '../figure/question.ts';
import type { Language } from '../languages/language.ts';
import { isTooMuch } from '../problem/errors.ts';
import { parsedRows, rowAddresses } from '../query/row-addresses.ts';
import type { Field } from '../values/field-types.ts';
import { PLACE } from '../values/map-cells.ts';
import { placeOfRow } from '../values/places.ts';
import { type Common, type FigureAsked, inOther, type MadeFigure } from './figure-asked.ts';
import { beyondOf, partAsked } from './map-part.ts';
import { readGroups } from './read-groups.ts';
import type { OfDataset } from './view.ts';

/** A map of the rows: a circle each, or squares that count them, if they are too many. */
export async function readPlaces(
  asked: FigureAsked,
  common: Common,
): Promise<MadeFigure | undefined> {
  const { of, values, budget, mark, counted } = asked;
  const { block } = of;
  const { geometry, primaryKey = [] } = block;
  if (geometry === undefined) return undefined;
  if (mark !== undefined && mark !== 'dots') return readCells(asked, common);
  const { _cursor, _sort, ...filters } = values;
  const nameField = nameFieldOf(block);
  const { longitude, latitude } = geometry;
  const addressField = addressFieldOf(of);
  const names = [longitude, latitude, nameField ?? [], addressField?.name ?? [], primaryKey];
  const _fields = [...new Set(names.flat())];
  const question = { ...filters, _fields, _limit: MOST_LIMIT };
  const output = await of.plan(question, budget, undefined, counted).run(budget);
  if (output.kind === 'value') return undefined;
  const part = output.next === null ? undefined : partAsked(asked, common);
  const inside =
    part === undefined ? output : await rowsInside({ ...question, [BBOX]: part }, asked);
  if (inside === undefined || inside.kind === 'value' || inside.next !== null) {
    return readCells({ ...asked, output }, common, part);
  }
  const rows = await parsedRows(inside, budget);
  const addresses = rowAddresses(of, rows, inside);
  const links = new Map(rows.map((row, i) => [row, addresses[i]]));
  const places = rows
    .map((row) => placeOfRow(row, geometry))
    .filter((place) => place !== undefined);
  const drawn: Question = {
    ...common,
    addresses: await addressesOn(asked, groundOf(common, places)),
    beyond: part === undefined ? undefined : await beyondOf(asked, inside.total, output.total),
    places: {
      rows,
      total: output.total,
      geometry,
      nameField,
      addressField,
    },
    linkOf: (row) => {
      const address = links.get(row);
      return address === undefined ? undefined : asked.linkToRow(address);
    },
  };
  const figure = figureOf(drawn);
  if (figure === undefined) return undefined;
  const figureIn = (language: Language) => figureOf(inOther(drawn, of, language)) ?? figure;
  return { figure, marks: marksFor(drawn), matching: output.total, output, figureIn };
}

/** The rows in a part of a map. Undefined if they are more than circles: then none is read. */
async function rowsInside(question: Members, { of, budget }: FigureAsked) {
  const counted = await of.plan({ ...question, _limit: 1 }, budget).run(budget);
  if (counted.kind === 'value' || counted.total > MOST_LIMIT) return undefined;
  return of.plan(question, budget).run(budget);
}

async function readCells(
  asked: FigureAsked,
  common: Common,
  part = partAsked(asked, common),
): Promise<MadeFigure | undefined> {
  const { block } = asked.of;
  const ground = groundOf(common, []);
  const [width, ...wider] = widthsOfCells(ground);
  const grouping = groupingOf(block, { _group: [`${PLACE}.${width}`] });
  const addresses = await addressesOn(asked, ground);
  const known = { ...common, wider, addresses };
  return grouping && readGroups({ ...asked, mark: 'cells' }, grouping, known, part);
}

/** Addresses on a map of a city, from which streets are made: of any rows of the block. */
async function addressesOn(
  { of, budget }: FigureAsked,
  { kind, box }: Ground,
): Promise<readonly Address[]> {
  const { geometry } = of.block;
  const field = kind === 'city' ? addressFieldOf(of) : undefined;
  if (field === undefined || geometry === undefined) return [];
  const { longitude, latitude } = geometry;
  const question = { _fields: [longitude, latitude, field.name], _limit: MOST_LIMIT };
  // A map that would take too much work by its streets has none.
  const own = budget.part(STEPS_OF_STREETS);
  const planned = of.plan({ ...question, [BBOX]: boxText(box) }, own);
  const output = await Promise.resolve()
    .then(() => planned.run(own))
    .catch((error) => {
      if (isTooMuch(error)) return undefined;
      throw error;
    });
  if (output === undefined || output.kind === 'value') return [];
  const rows = await parsedRows(output, budget);
  return rows.flatMap((row) => {
    const [text, place] = [row[field.name], placeOfRow(row, geometry)];
    return typeof text !== 'string' || place === undefined ? [] : [{ text, place }];
  });
}

/** Work for the addresses of a city's streets, in steps. */
const STEPS_OF_STREETS = 5_000_000;

/** Of the texts that a field is known for, the part that must look like addresses. */
const LEAST_ADDRESSES = 0.5;

/** The field with the street and number of a row. */
function addressFieldOf({ block, profile }: OfDataset): Field | undefined {
  return block.fields.find((field) => {
    const known = profile?.suggestions[field.name] ?? [];
    const found = known.filter((text) => ADDRESS.test(text));
    return field.type === 'text' && found.length > LEAST_ADDRESSES * known.length;
  });
}

/** A number and a name of letters, or the other way round. */
const ADDRESS =
  /^(?:\d[\d-]{0,8}[a-z]?\s+[\p{L}\d].{2,60}|\p{L}[^\d,]{2,60}\s\d{1,5}\s?[a-z]?)(?:,.*)?$/iu;
