import { areaDimension, type Grouping } from '../block/grouping.ts';
import { FRAME } from '../block/parameter.ts';
import { hasDrawing } from '../figure/drawing.ts';
import { type Common, type FigureAsked, type MadeFigure, questionOf } from './figure-asked.ts';
import { readGroups } from './read-groups.ts';
import { readPlaces } from './read-places.ts';

/** Reads what a figure is made of, and makes it. Undefined if no mark can draw the question. */
export async function readFigure(asked: FigureAsked): Promise<MadeFigure | undefined> {
  const { grouping } = asked;
  const common = await questionOf(asked);
  if (grouping === undefined) return readPlaces(asked, await withEarth(common));
  const isOnMap = grouping.dimensions[0]?.cells !== undefined;
  const known = isOnMap ? await withEarth(common) : await withPart(asked, grouping, common);
  return readGroups(asked, grouping, known);
}

/** Gives a map of known areas the part of it that was asked for. No other answer loads what draws it. */
async function withPart(
  { of, values }: FigureAsked,
  grouping: Grouping,
  common: Common,
): Promise<Common> {
  const { frame, known } = common;
  const { areas } = known;
  if (frame === undefined || values[FRAME] === undefined || areas === undefined) return common;
  if (areas.kind === 'own' || of.boundaries === undefined) return common;
  if (areaDimension(grouping, of.block) === undefined) return common;
  const { drawPart } = await import('../figure/earth/area-part.ts');
  const part = drawPart(areas.kind, frame, of.boundaries());
  return { ...common, known: { ...known, areas: { ...areas, ...part, home: areas.frame } } };
}

/**
 * Gives a map of places what draws the earth below it, unless the block has a drawing of its own. No
 * other answer loads that.
 */
async function withEarth(common: Common): Promise<Common> {
  if (hasDrawing(common.known.map)) return common;
  const { earth } = await import('../figure/earth/earth.ts');
  return { ...common, earth };
}
