import type { DatasetBlock } from '../block/block.ts';
import { CAPTION } from '../figure/draw.ts';
import { ANSWER_CUT } from '../problem/errors.ts';
import { groupsInWords, outOfAll } from '../query/answer-in-words.ts';
import { type BlockView, hrefOf, matchingIn, type PageState } from './block-view.ts';
import { FigureState } from './figure-view.tsx';
import { trusted, Unused, Warnings } from './page-shell.tsx';
import { inWords, Where } from './rows-answer.tsx';
import { RowsTable } from './rows-table.tsx';
import { withQuestion } from './view-links.ts';

/** A figure or a table alone, for a frame in another page: with its title, and where it is from. */
export function EmbeddedView({ view, state }: { view: BlockView; state: PageState }) {
  const { block, outcome, manifest, opened, language } = view;
  const { say } = language;
  const whole = hrefOf([
    ...withQuestion(view, state).filter(([name]) => name !== '_view'),
    ['_view', opened ?? 'table'],
  ]);
  const { noun } = block as DatasetBlock;
  const source = manifest?.source.publisher ?? manifest?.source.title ?? block.title;
  return (
    <main>
      <div class="framed-part">
        <Unused names={view.unused} of="This block" language={language} />
        {outcome.kind === 'figure' ? (
          <>
            <figure id="figure" aria-labelledby="title">
              <h1 id="title" dir="auto">
                {outcome.figure.title}
              </h1>
              <FigureState view={view} state={state} found={outcome} />
              {trusted(outcome.picture)}
              <figcaption>
                <p id={CAPTION}>{trusted(outcome.caption)}</p>
              </figcaption>
            </figure>
            <Warnings warnings={outcome.warnings.filter(({ title }) => title !== ANSWER_CUT)} />
          </>
        ) : outcome.kind === 'rows' ? (
          <>
            <h1 dir="auto">{block.title}</h1>
            <p class="state">
              <b>{outOfAll(matchingIn(outcome) ?? 0, noun, manifest?.rows ?? 0, language)}</b>
              <Where filters={inWords(view, outcome).filters} state={state} language={language} />
              {outcome.groups === undefined
                ? ''
                : ` ${say('in {groups}', { groups: groupsInWords(outcome.total, language) })}`}
            </p>
            <RowsTable view={view} state={state} found={outcome} />
          </>
        ) : (
          <p>
            {outcome.kind === 'refused' ? outcome.detail : say('There is nothing to show here.')}
          </p>
        )}
      </div>
      <p class="plate">
        <span>{source}</span>
        <a href={whole}>{say('{title}, all of it', { title: block.title })}</a>
      </p>
    </main>
  );
}
