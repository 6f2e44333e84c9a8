import type { Language } from '../languages/language.ts';
import { faultText, type SaidFault } from '../page/fault-text.ts';
import { ForPrograms, inEnglish, Mended, saidOnce, titleOf } from '../page/faults.tsx';
import { changed, hrefOf, namesWithBox, type PageState, valuesOf } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import type { Fault, ProblemTitle } from '../problem/errors.ts';
import type { Read, View } from './view.ts';

/** What a page says of a problem. */
export type RefusedRead = Read & {
  readonly title: ProblemTitle;
  readonly detail: string;
  readonly faults: readonly Fault[];
  readonly runId: string;
};

/** What is wrong with the arguments, in the place of an answer. */
export const refused: Omit<View<RefusedRead>, 'read'> = {
  skip: 'To answer',
  filters: 'beside',
  words: (_, { block, language }) => ({
    title: language.say('Error: {title}', { title: block.title }),
    description: block.description,
  }),
  show: (read, page) => <Refused page={page} refused={read} />,
  embed: ({ detail }) => <p>{detail}</p>,
};

/**
 * All faults at once: each links to the box where it was typed, offers a correction, or can be left
 * out.
 */
function Refused({ page, refused }: { readonly page: Page; readonly refused: RefusedRead }) {
  const { block, language } = page;
  const { sent: state } = page.links;
  const { title, faults, runId } = refused;
  const boxes = new Set(namesWithBox(block));
  const said = saidOnce(refused);
  const textOf = (fault: SaidFault) =>
    faultText(
      fault,
      block,
      language,
      faults.filter(({ detail }) => detail === fault.detail),
    );
  return (
    <section class="refused" tabindex={-1} aria-labelledby="refused">
      <h2 id="refused">{titleOf(title, language)}</h2>
      <ul>
        {said.map((fault) => (
          <li>
            {fault.parameter !== undefined && boxes.has(fault.parameter) ? (
              <a href={`#f-${fault.parameter}`} {...inEnglish(language)}>
                {textOf(fault)}
              </a>
            ) : (
              <span {...inEnglish(language)}>{textOf(fault)}</span>
            )}{' '}
            <Mended {...{ fault, block, state, language }} />
            <Swap {...{ fault, faults, state, language }} />
          </li>
        ))}
      </ul>
      <ForPrograms {...{ said, runId, language }} />
    </section>
  );
}

/** A link that swaps the ends of a range whose minimum is above its maximum. */
function Swap(props: {
  fault: SaidFault;
  faults: readonly Fault[];
  state: PageState;
  language: Language;
}) {
  const { fault, faults, state, language } = props;
  if (fault.code !== 'min-above-max') return null;
  const ends = faults.filter(({ detail }) => detail === fault.detail);
  const [low, high] = ends.map(({ parameter }) => parameter);
  if (low === undefined || high === undefined) return null;
  const crossed = { [low]: valuesOf(state, high), [high]: valuesOf(state, low) };
  return (
    <a class="button" href={hrefOf(changed(state, { ...crossed, _cursor: null }))}>
      {language.say('Swap them')}
    </a>
  );
}
