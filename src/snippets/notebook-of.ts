import type { Block } from '../block/block.ts';
import { pythonLiteral, pythonString } from './python.ts';

/** The address of a service that `npm start` starts. */
const SERVICE = 'http://127.0.0.1:8787';

/** A notebook for each block, as files in the checkout. */
export function notebookFiles(blocks: readonly Block[]): { path: string; text: () => string }[] {
  return blocks.map((block) => ({
    path: `docs/quickstarts/notebooks/${block.name}.ipynb`,
    text: () => notebookOf(block),
  }));
}

/** A Jupyter notebook (nbformat 4.5) without outputs: the block's first example and a refusal. */
export function notebookOf({ name, title, description, examples }: Block): string {
  const [example = { title: 'Everything', arguments: {} }] = examples;
  const cells = [
    markdown('block', `# ${title}\n\n${description}\n\n${example.title}:`),
    code(
      'call',
      `from urllib.parse import urlencode

import pandas

url = ${pythonString(`${SERVICE}/api_v2/blocks/${name}`)}
arguments = ${pythonLiteral(example.arguments)}

rows = pandas.read_csv(f"{url}?{urlencode(arguments, doseq=True)}&_format=csv")
rows`,
    ),
    markdown('typo', 'A typo is refused, and the refusal says what was meant:'),
    code(
      'refusal',
      `import json
from urllib.error import HTTPError

try:
    pandas.read_csv(f"{url}?{urlencode(arguments, doseq=True)}&_formt=csv")
except HTTPError as error:
    print(json.load(error)["detail"])`,
    ),
  ];
  const kernelspec = { display_name: 'Python 3', language: 'python', name: 'python3' };
  const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
  // Formatted as Jupyter does, so that saving a notebook there changes nothing else.
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

function markdown(id: string, text: string) {
  return { cell_type: 'markdown', id, metadata: {}, source: lines(text) };
}

function code(id: string, text: string) {
  const source = lines(text);
  return { cell_type: 'code', execution_count: null, id, metadata: {}, outputs: [], source };
}

function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}
