import {
  MEDIANS,
  SCALE,
  type TwoNumbers,
  type TwoNumbersFound,
  twoNumbersOf,
} from '../block/two-numbers.ts';
import { ChoiceLinks } from '../page/choice-links.tsx';
import { changed, hrefOf, withQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import type { FigureProps } from './figure-on-page.ts';

/** An axis whose greatest number is less than this many times its least gains nothing by logarithms. */
const LEAST_APART = 20;

/** The scales of the axes of two numbers, and whether there is a line of medians. */
export function PairChoices({ page, found }: FigureProps) {
  if (found.xy === undefined) return null;
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
      <ChoiceLinks label={say('Axes')} choices={scalesOf(found.xy, page, asked)} />
      <ChoiceLinks label={say('Line')} choices={[medians(false), medians(true)]} />
    </>
  );
}

function scalesOf({ x, y }: TwoNumbersFound, page: DatasetPage, asked?: TwoNumbers) {
  const { say } = page.language;
  const state = withQuestion(page.links);
  // Whether zeros are few is not known of axes that were asked for. They are left out if asked.
  const mayLeaveZeros = asked?.scales?.x === 'linear' && asked.scales.y === 'linear';
  const scales = [x, y].map(({ min, max, scale }) => {
    if (mayLeaveZeros && min === 0 && max !== null && max > 0) return 'log';
    const mayBeLog = min !== null && max !== null && min > 0 && max >= LEAST_APART * min;
    return mayBeLog || scale === 'log' ? 'log' : 'linear';
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
