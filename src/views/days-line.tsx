import { changed, hrefOf, withQuestion } from '../page/links.ts';
import { ownMember } from '../values/field-type.ts';
import { TIME_PARTS, type TimePart } from '../values/time-part.ts';
import type { FigureProps } from './figure-on-page.ts';

/** What splits the days of a week, and what each gives way to. */
const OTHER = { weekend: 'weekday', weekday: 'weekend' } as const;

/**
 * Lines of weekdays and weekends, or of each weekday: their colours, and the way to the others. No
 * filter asks for a day of the week, so that none of them can be dropped.
 */
export function DaysLine({ page, found }: FigureProps) {
  const [first, second] = found.grouping?.dimensions ?? [];
  const { picture } = found.figure;
  const part = second?.partName;
  if (first === undefined || second === undefined) return null;
  if (part !== 'weekend' && part !== 'weekday') return null;
  const names = picture?.layout === 'plot' ? picture.names : undefined;
  if (names === undefined) return null;
  const { say } = page.language;
  const other = OTHER[part];
  const beside = ownMember<TimePart>(TIME_PARTS, first.partName ?? '')?.beside ?? [];
  const question = withQuestion(page.links);
  return (
    <fieldset class="picks" aria-label={say('Days #weekdays')}>
      <span class="quiet">{say('Days #weekdays')}</span>
      {names.map(({ look, text }) => (
        <span class={`chip ${look}`}>
          <svg aria-hidden="true">
            <rect width="100%" height="100%" />
          </svg>
          <bdi>{text}</bdi>
        </span>
      ))}
      {beside.includes(other) && (
        <a
          class="small"
          href={hrefOf(
            changed(question, { _group: [first.text, `${second.field.name}.${other}`] }),
          )}
        >
          {other === 'weekday' ? say('each weekday') : say('weekday or weekend')}
        </a>
      )}
    </fieldset>
  );
}
