import { readFileSync } from 'node:fs';
import type { SourceMap } from 'node:module';

/**
 * A stack whose places in a bundle are replaced by those in its sources. Node would do this with
 * `--enable-source-maps`, but reads and parses each map at every start.
 */
export function sourcePlaces(stack: string): string {
  return stack.replace(PLACE, (place, file, line, column) => {
    const found = mapOf(file)?.findOrigin(Number(line), Number(column));
    if (found === undefined || !('fileName' in found)) return place;
    const source = found.fileName.replace(/^(?:\.\.\/)+/, '');
    return `${source}:${found.lineNumber}:${found.columnNumber}`;
  });
}

const PLACE = /(file:\S+?\.mjs):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    const { SourceMap } = process.getBuiltinModule('node:module');
    return new SourceMap(JSON.parse(readFileSync(new URL(file), 'utf8')));
  } catch {
    // The stack as it is says more than a failure to read it.
    return undefined;
  }
}
