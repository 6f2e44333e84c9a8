import { runSection } from './section.ts';

// A run that waits for a store which never answers is ended by a timer that keeps no process alive.
const alive = setInterval(() => {}, 60_000);
const [section = ''] = process.argv.slice(2);
process.send?.(await runSection(JSON.parse(section)));
process.disconnect();
clearInterval(alive);
