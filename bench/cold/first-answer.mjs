// A function's start as Lambda makes it: the module is imported, then called once. Descriptor 3
// says when: the process's start, and the milliseconds until the import and the answer.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const began = performance.now();
const { handler } = await import(pathToFileURL(process.env.CODE));
const imported = performance.now();
const { statusCode } = await handler(JSON.parse(process.env.EVENT), {});
const answered = performance.now();
writeSync(3, JSON.stringify({ statusCode, began, imported, answered }));
process.exit(0);
