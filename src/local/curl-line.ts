import type { Block } from '../core/block.ts';

/** A line to paste: the block's first example as a form, which needs no header. */
export function curlLine(url: string, { name, examples }: Block): string {
  const fields = Object.entries(examples[0]?.arguments ?? {}).flatMap(([parameter, value]) =>
    [value].flat().map((member) => ` -d ${shellQuoted(`${parameter}=${inForm(`${member}`)}`)}`),
  );
  return `curl ${shellQuoted(`${url}/api_v2/blocks/${name}`)}${fields.length === 0 ? ' -X POST' : fields.join('')}`;
}

/** The characters that mean something else in a form; all others may stand as they are. */
function inForm(value: string): string {
  return value.replace(/[%&+]/g, encodeURIComponent);
}

function shellQuoted(text: string): string {
  return /^[\w=.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
