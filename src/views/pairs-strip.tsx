import { XY_NAMES } from '../block/two-numbers.ts';
import { TABLE_NAMES, valuesOf, withQuestion } from '../page/links.ts';
import type { DatasetPage } from '../page/page.ts';
import { shortTitle } from '../text/wording.ts';
import type { Field } from '../values/field-types.ts';
import type { FigureProps } from './figure-on-page.ts';
import { MarkChoice } from './mark-choice.tsx';
import { comparable, ToGroups } from './two-numbers-link.tsx';

/** What the strip writes, or another question has. */
const DROPPED: readonly string[] = ['_xy', '_mark', '_view', ...TABLE_NAMES];

/**
 * The question about two numbers as a sentence. The number across comes first, as in the address:
 * a form without a script sends its lists in their order.
 */
export function PairsStrip({ page, found }: FigureProps) {
  const { say } = page.language;
  const { noun } = page.block;
  const asked = withQuestion(page.links);
  const [x = '', y = ''] = valuesOf(asked, '_xy').flatMap((text) => text.split(','));
  const kept = page.links.state.filter(([name]) => !DROPPED.includes(name));
  const added = page.links.added.filter(
    ([name]) => name !== '_xy' && XY_NAMES.some((one) => one === name),
  );
  const fields = comparable(page);
  return (
    <form class="ask strip" method="get" autocomplete="off" aria-label={say('The question')}>
      {[...kept, ...added].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <div class="asked">
        <span>{say('Show each of the {noun}:', { noun })}</span>
        <NumberChoice id="ask-x" label={say('across')} fields={fields} chosen={x} page={page} />
        <NumberChoice id="ask-y" label={say('up #axis')} fields={fields} chosen={y} page={page} />
        <MarkChoice page={page} found={found} />
        <ToGroups page={page} />
      </div>
    </form>
  );
}

function NumberChoice(props: {
  readonly id: string;
  readonly label: string;
  readonly fields: readonly Field[];
  readonly chosen: string;
  readonly page: DatasetPage;
}) {
  const { id, label, fields, chosen, page } = props;
  const own = page.block.fields.filter(({ name }) => name === chosen);
  const isOffered = fields.some(({ name }) => name === chosen);
  const all = isOffered ? fields : [...own, ...fields];
  return (
    <label>
      {label}{' '}
      <select id={id} name="_xy">
        {all.map(({ name, title }) => (
          <option value={name} selected={name === chosen}>
            {shortTitle(title)}
          </option>
        ))}
      </select>
    </label>
  );
}
