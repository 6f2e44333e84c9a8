import { MEDIANS, SCALE, type TwoNumbersFound, twoNumbersOf } from '../block/two-numbers.ts';
import { ChoiceLinks } from '../page/choice-links.tsx';
import { changed, hrefOf, withQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import type { FigureProps, FigureRead } from './figure-on-page.ts';

/** An axis whose greatest number is less than this many times its least gains nothing by logarithms. */
const LEAST_APART = 20;

/** The scales of the axes of two numbers, and whether there is a line of medians. */
export function PairChoices({ page, found, xy }: FigureProps & { xy: TwoNumbersFound }) {
  const { say } = page.language;
  const asked = twoNumbersOf(page.block, page.values);
  const state = withQuestion(page.links);
  const { hasMedians = false } = asked ?? {};
  const medians = (isWanted: boolean) => ({
    title: isWanted ? say('line of medians') : say('no line'),
    href: hrefOf(changed(state, { [MEDIANS]: isWanted ? 'true' : null })),
    isCurrent: hasMedians === isWanted,
  });
  return (
    <>
      <ChoiceLinks label={say('Axes')} choices={scalesOf(found, xy, page)} />
      <ChoiceLinks label={say('Line')} choices={[medians(false), medians(true)]} />
    </>
  );
}

function scalesOf({ mayBeLog }: FigureRead, { x, y }: TwoNumbersFound, page: DatasetPage) {
  const { say } = page.language;
  const state = withQuestion(page.links);
  const scales = [x, y].map(({ min, max, scale }) => {
    if (mayBeLog && min === 0 && max !== null && max > 0) return 'log';
    const isFarApart = min !== null && max !== null && min > 0 && max >= LEAST_APART * min;
    return isFarApart || scale === 'log' ? 'log' : 'linear';
  });
  if (!scales.includes('log')) return [];
  const isNow = (some: readonly string[]) => some[0] === x.scale && some[1] === y.scale;
  return [
    { title: say('as they are'), scales: ['linear', 'linear'] },
    { title: say('logarithmic'), scales },
  ].map(({ title, scales }) => ({
    title,
    href: hrefOf(changed(state, { [SCALE]: scales.join() })),
    isCurrent: isNow(scales),
  }));
}
