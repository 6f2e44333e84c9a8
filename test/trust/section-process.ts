import { runSection } from './section.ts';

const [section = ''] = process.argv.slice(2);
process.send?.(await runSection(JSON.parse(section)));
process.disconnect();
