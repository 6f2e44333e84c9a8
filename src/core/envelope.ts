import { membersText, type Output } from './output.ts';

export type Envelope = 'params' | 'flat';

/**
 * The body of an answer, as JSON text. The default form has the block's members in `params`; the
 * flat one, which the old clients parse, has them at the top.
 */
export function renderEnvelope(output: Output, envelope: Envelope, explained: boolean): string {
  const members = membersText(output);
  const { warnings } = output;
  const explain = explained ? `,"_explain":${JSON.stringify(output.explain)}` : '';
  if (envelope === 'params') {
    return `{"params":{${members}},"_errors":[],"_warnings":${JSON.stringify(warnings)}${explain}}`;
  }
  const warned = warnings.length === 0 ? '' : `,"_warnings":${JSON.stringify(warnings)}`;
  return `{"_blockspring_spec":true,"_errors":[]${members === '' ? '' : `,${members}`}${warned}${explain}}`;
}
