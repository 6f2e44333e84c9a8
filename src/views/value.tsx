import type { Arguments } from '../arguments/given.ts';
import type { ColorRoles } from '../block/block.ts';
import type { Language } from '../languages/language.ts';
import { wordsOfBlock } from '../page/block-head.tsx';
import { changed, hrefOf, type PageState, pairsOf } from '../page/links.ts';
import type { ValuePage } from '../page/page.ts';
import { Warnings } from '../page/page-shell.tsx';
import { Snippets } from '../page/snippets.tsx';
import type { Warning } from '../problem/errors.ts';
import type { Budget } from '../work/budget.ts';
import { doorOf } from './block-page.tsx';
import type { Arrival, Door, Read, View, ViewQuery } from './view.ts';

export { readPage, readView, refusedView, renderBlockPage } from './block-page.tsx';

/** What is known of a page at its door. It has no tabs. */
export function arriveAt(arrival: Arrival): Door {
  return doorOf(arrival, []);
}

/** What a page shows of a block that computes a value: `read` is undefined if nothing was asked. */
export function openView(of: Door, read: Arguments | undefined, budget: Budget): ViewQuery {
  if (read === undefined) return { view: unasked, values: {}, added: {} };
  const { values } = read;
  const planned = of.plan(withOthers(of, values), budget);
  return { view: value, values, added: {}, planned };
}

/** Similar colours that a page shows beside the one found, if no number of them is asked for. */
const OTHERS_SHOWN = 5;

/** The arguments of a block, on a page also those by which a colour is shown among similar ones. */
function withOthers({ block, sent }: Door, values: Arguments['values']) {
  const others = block.answers === 'value' ? block.color?.others : undefined;
  const isTaken = block.parameters.some(({ name }) => name === others);
  if (others === undefined || !isTaken || sent.some(([name]) => name === others)) {
    return values;
  }
  return { ...values, [others]: OTHERS_SHOWN };
}

type ValueRead = Read & { readonly value: Value; readonly warnings: readonly Warning[] };

/** The answer of a block that computes one value, and its call. */
const value: View<ValueRead> = {
  skip: 'To answer',
  filters: 'beside',
  async read({ planned }, { warnings, budget }) {
    const output = await planned?.run(budget);
    if (output?.kind !== 'value') throw new TypeError('A value has no rows.');
    return { output, value: output.value, warnings: [...warnings, ...output.warnings] };
  },
  words: (_, page) => wordsOfBlock(page),
  show: (found, page: ValuePage) => <ValueAnswer page={page} found={found} />,
};

/** What a block that needs arguments shows before it has any: its examples. */
const unasked: View = {
  skip: 'To answer',
  filters: 'beside',
  listsExamples: true,
  read: async () => ({}),
  words: (_, page) => wordsOfBlock(page),
  show: (_, page: ValuePage) => <Unasked page={page} />,
};

type Value = Readonly<Record<string, unknown>>;

function ValueAnswer({ page, found }: { page: ValuePage; found: ValueRead }) {
  const { color } = page.block;
  const { state } = page.links;
  const { value, warnings } = found;
  const { language } = page;
  const { say } = language;
  return (
    <>
      {color === undefined ? (
        <section aria-labelledby="found">
          <h2 id="found" tabindex={-1}>
            {say('Answer')}
          </h2>
          <Members value={value} />
        </section>
      ) : (
        <ColorAnswer roles={color} values={page.values} {...{ value, state, language }} />
      )}
      <Warnings warnings={warnings} />
      <Snippets page={page} title={say('This call as a program')} />
    </>
  );
}

/** The examples of a block, as colours if they are. */
function Unasked({ page }: { page: ValuePage }) {
  const { examples, color } = page.block;
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabindex={-1}>
        {page.language.say('Ask, or try an example')}
      </h2>
      <ul class={color === undefined ? 'examples' : 'swatches'}>
        {examples.map(({ title, arguments: given }) => (
          <li>
            <a href={hrefOf([...page.links.state, ...pairsOf(given)])}>
              {color === undefined ? '' : <Swatch color={colorIn(color.channels, given)} />}
              <b dir="auto">{title}</b>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Swatch({ color }: { color: string }) {
  return (
    <svg aria-hidden="true">
      <rect width="100%" height="100%" fill={color} />
    </svg>
  );
}

/** A value's members by name. */
function Members({ value }: { value: Value }) {
  return (
    <dl class="value">
      {Object.entries(value).map(([name, member]) => (
        <>
          <dt>{name}</dt>
          <dd>{typeof member === 'string' ? member : JSON.stringify(member)}</dd>
        </>
      ))}
    </dl>
  );
}

type ColorAnswerProps = {
  readonly roles: ColorRoles;
  readonly value: Value;
  /** The arguments. */
  readonly values: Value;
  readonly state: PageState;
  readonly language: Language;
};

/** The colour asked for beside the one found, then the next nearest. */
function ColorAnswer({ roles, value, values, state, language }: ColorAnswerProps) {
  const { say, parts } = language;
  const { channels, hex, name, others } = roles;
  const asked = colorIn(channels, values);
  const found = String(value[hex] ?? asked);
  const named = String(value[name] ?? found);
  const more = (value[others] ?? []) as readonly Value[];
  const { [others]: _, ...members } = value;
  return (
    <>
      <figure>
        <h2 id="found" tabindex={-1} dir="auto">
          {named}
        </h2>
        <p class="state">
          <span>
            {parts('{found} is nearest to {asked}', {
              found: <b>{found}</b>,
              asked: <b>{asked}</b>,
            })}
            {distanceText(value.distance, language)}
          </span>
        </p>
        <svg
          class="swatch"
          role="img"
          aria-label={say('Left {asked}, right {found}', { asked, found })}
        >
          <rect width="100%" height="100%" fill={asked} />
          <rect x="50%" width="50%" height="100%" fill={found} />
        </svg>
        <figcaption>
          {say(
            'Left your colour, right {name}. Under 1 the eye sees no difference; over 10 it is another colour.',
            { name: named },
          )}
        </figcaption>
      </figure>
      <details class="quiet">
        <summary>{say('For programs')}</summary>
        <Members value={members} />
      </details>
      {more.length > 0 && (
        <section>
          <h3 class="block">{say('The next nearest')}</h3>
          <ul class="swatches">
            {more.map((other) => (
              <li>
                <Alternative
                  color={String(other[hex])}
                  name={String(other[name])}
                  distance={other.distance}
                  language={language}
                  href={hrefOf(changed(state, channelsOf(channels, String(other[hex]))))}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Distances by CIEDE2000: one is just seen, and from ten on colours are different. */
const JUST_SEEN = 1;
const DIFFERENT = 10;

function distanceText(distance: unknown, { say, number }: Language): string {
  if (typeof distance !== 'number') return '';
  if (distance === 0) return `: ${say('it is the same')}`;
  const said =
    distance < JUST_SEEN
      ? 'the same to the eye'
      : distance > DIFFERENT
        ? 'another colour'
        : 'close';
  return `, ${say('{distance} away', { distance: number(distance, 1) })}: ${say(said)}`;
}

/** A colour with its name and its code below it, where their contrast is sure. */
function Alternative(props: {
  color: string;
  name: string;
  distance: unknown;
  href: string;
  language: Language;
}) {
  const { color, name, distance, href, language } = props;
  return (
    <a href={href}>
      <Swatch color={color} />
      <b dir="auto">{name}</b>{' '}
      <small>
        <code>{color}</code>
        {typeof distance === 'number'
          ? ` ${language.say('{distance} away', { distance: language.number(distance) })}`
          : ''}
      </small>
    </a>
  );
}

/** The arguments that ask for a colour, by its code. */
function channelsOf(channels: readonly string[], color: string): Record<string, string> {
  return Object.fromEntries(
    channels.map((channel, i) => {
      return [channel, String(Number.parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16))];
    }),
  );
}

/** The colour that some arguments ask for, as its code. */
function colorIn(channels: readonly string[], values: Value): string {
  return `#${channels.map((channel) => hexOf(Number(values[channel]))).join('')}`;
}

function hexOf(channel: number): string {
  return channel.toString(16).padStart(2, '0');
}
