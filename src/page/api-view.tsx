import type { BlockView, PageOutcome, PageState } from './block-view.ts';
import { Files } from './rows-answer.tsx';
import { Snippets } from './snippets.tsx';

type ApiProps = {
  readonly view: BlockView;
  readonly state: PageState;
  readonly found: PageOutcome & { kind: 'rows' };
};

/** How a program asks for what the page shows: calls, files and addresses. */
export function ApiView({ view, state, found }: ApiProps) {
  return (
    <>
      <Snippets view={view} state={state} />
      <Files view={view} state={state} found={found} />
    </>
  );
}
