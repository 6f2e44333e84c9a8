// A function's start as Lambda makes it: the module is imported, then called once. Descriptor 3
// says when: the process's start, and the milliseconds until the import and the answer; and which
// files of the function were loaded, and when it came to its modules, if that is asked.
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const beside = pathToFileURL(path.dirname(process.env.CODE)).href;
const loads = [];
// Only in a start that is not timed.
if (process.env.LOADS) {
  registerHooks({
    load(url, context, next) {
      if (url.startsWith(beside)) loads.push(path.basename(url));
      return next(url, context);
    },
  });
}
const builtins = {};
for (const name of JSON.parse(process.env.BUILTINS ?? '[]')) {
  const before = performance.now();
  await import(name);
  builtins[name] = performance.now() - before;
}
const began = performance.now();
const { handler } = await import(pathToFileURL(process.env.CODE));
const imported = performance.now();
const { statusCode } = await handler(JSON.parse(process.env.EVENT), {});
const answered = performance.now();
writeSync(
  3,
  JSON.stringify({
    ...{ statusCode, began, imported, answered, loads },
    ...{ builtins, marks: globalThis.marks },
  }),
);
process.exit(0);
