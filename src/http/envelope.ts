import type { Warning } from '../problem/errors.ts';
import type { Output } from '../query/run.ts';
import { joinRows } from '../values/row-texts.ts';

export type Envelope = 'params' | 'flat';

/**
 * Renders an answer's body as JSON. The default envelope puts the block's members in `params`; the
 * flat one, which old clients parse, puts them at the top level.
 */
export function renderEnvelope(
  output: Output,
  warnings: readonly Warning[],
  envelope: Envelope,
  explained: boolean,
): string | Uint8Array {
  const explain = explained ? `,"_explain":${JSON.stringify(output.explain)}` : '';
  const warned = `,"_warnings":${warnings.length === 0 ? '[]' : JSON.stringify(warnings)}`;
  if (envelope === 'params') {
    return renderMembers(output, '{"params":{', `},"_errors":[]${warned}${explain}}`);
  }
  const isEmpty = output.kind === 'value' && Object.keys(output.value).length === 0;
  const before = `{"_blockspring_spec":true,"_errors":[]${isEmpty ? '' : ','}`;
  return renderMembers(output, before, `${warnings.length === 0 ? '' : warned}${explain}}`);
}

/** Renders all members of an output between two texts. */
function renderMembers(output: Output, before: string, behind: string): string | Uint8Array {
  if (output.kind === 'value') {
    return `${before}${JSON.stringify(output.value).slice(1, -1)}${behind}`;
  }
  const { rows, total, next, help, facets, addresses, notFound } = output;
  const missing = notFound === undefined ? '' : `,"notFound":${JSON.stringify(notFound)}`;
  const helped = help === undefined ? '' : `,"help":${JSON.stringify(help)}`;
  const faceted = facets === undefined ? '' : `,"facets":${JSON.stringify(facets)}`;
  const counted = `"count":${rows.length},"total":${total},"next":${JSON.stringify(next)}`;
  const addressed = addresses === undefined ? '' : `,"addresses":${JSON.stringify(addresses)}`;
  const behindRows = `],${counted}${addressed}${helped}${faceted}${missing}${behind}`;
  return joinRows(rows, `${before}"results":[`, behindRows);
}
