import type { Block, DatasetBlock, ValueBlock } from '../block/block.ts';
import { About } from './about.tsx';
import type { BlockView, PageOutcome } from './block-view.ts';
import { ColorAnswer } from './color-answer.tsx';
import { FilterForm } from './filter-form.tsx';
import { GroupsAnswer } from './groups-answer.tsx';
import { page } from './page-shell.tsx';
import { changed, hrefOf, type PageState, pageState, valuesOf } from './page-state.ts';
import { Refused } from './refused.tsx';
import { RowsAnswer } from './rows-answer.tsx';
import { Snippets } from './snippets.tsx';
import { Unused, Warnings } from './warnings.tsx';

/** A block's page as HTML. The answer is before the form, so that a phone shows rows first. The
 * script replaces `answer` and `call`. */
export function renderBlockPage(view: BlockView): Promise<string> {
  const { block, outcome, address } = view;
  const state = pageState(block, view.given);
  const [key] = valuesOf(state, 'api_key');
  const isRefused = outcome.kind === 'refused';
  const query = hrefOf(changed(state, { api_key: null }));
  const canonical = `${address.url}${query}`.replace(/\?$/, '');
  return page({
    title: `${isRefused ? 'Error: ' : ''}${block.title}`,
    description: block.description,
    toRoot: address.toRoot,
    key,
    canonical,
    children: (
      <main>
        <header>
          <h1>{block.title}</h1>
          <p>{block.description}</p>
          <Examples block={block} state={state} />
        </header>
        <nav class="to-form" aria-label="On this page">
          <a href="#answer">{block.answers === 'rows' ? 'Rows' : 'Answer'}</a>
          <a href="#form">{block.answers === 'rows' ? 'Filters' : 'Ask'}</a>
        </nav>
        {/* Present from the start: screen readers ignore text in a status added later. */}
        <p id="said" class="unseen" role="status"></p>
        <div class="columns">
          <div id="answer">
            <Unused names={view.unused} of="This block" />
            <Answer view={view} state={state} outcome={outcome} />
            <p class="printed">{canonical}</p>
          </div>
          <FilterForm view={view} state={state} />
          <div id="call">
            {isRefused || outcome.kind === 'unasked' ? '' : <Snippets view={view} state={state} />}
          </div>
        </div>
        <About view={view} />
      </main>
    ),
  });
}

function Answer(props: { view: BlockView; state: PageState; outcome: PageOutcome }) {
  const { view, state, outcome } = props;
  switch (outcome.kind) {
    case 'unasked':
      return <p>Fill in the form, or try an example.</p>;
    case 'refused':
      return <Refused block={view.block} state={view.given} refused={outcome} />;
    case 'rows':
      if (outcome.groups !== undefined) {
        return (
          <GroupsAnswer view={view} state={state} found={{ ...outcome, groups: outcome.groups }} />
        );
      }
      return <RowsAnswer view={view} state={state} found={outcome} />;
    case 'value': {
      const { color } = view.block as ValueBlock;
      return (
        <>
          {color === undefined ? (
            <ValueAnswer value={outcome.value} />
          ) : (
            <ColorAnswer roles={color} value={outcome.value} values={view.values} />
          )}
          <Warnings warnings={outcome.warnings} />
        </>
      );
    }
  }
}

function Examples({ block, state }: { block: Block; state: PageState }) {
  const key = state.filter(([name]) => name === 'api_key');
  return (
    <nav aria-label="Examples">
      <ul class="examples">
        {block.examples.map(({ title, arguments: given }) => (
          <li>
            <a href={hrefOf(changed(key, textsOf(given)))}>{title}</a>
          </li>
        ))}
        {(block as DatasetBlock).noun !== undefined && state.length !== key.length && (
          <li>
            <a href={hrefOf(key)}>All {(block as DatasetBlock).noun}</a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function textsOf(given: Readonly<Record<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, [value].flat().map(String)]),
  );
}

/** A value's members by name. */
function ValueAnswer({ value }: { value: Readonly<Record<string, unknown>> }) {
  return (
    <section aria-labelledby="found">
      <h2 id="found" tabindex={-1}>
        Answer
      </h2>
      <dl class="value">
        {Object.entries(value).map(([name, member]) => (
          <>
            <dt>{name}</dt>
            <dd>{typeof member === 'string' ? member : JSON.stringify(member)}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
