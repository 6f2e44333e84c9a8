import { KeptFiles } from '../../src/local/kept-files.ts';
import { Scheduler } from '../../src/work/scheduler.ts';
import { CSV, version } from './kept-version.ts';

// Writes a file in a folder, and is killed when some bytes of it are on the disk.

const [folder = ''] = process.argv.slice(2);
const files = new KeptFiles({ folder, code: 'a test' });
await version(files).open(
  CSV,
  async function* () {
    yield 'some of the file';
    yield 'more of it';
    process.kill(process.pid, 'SIGKILL');
    yield 'never';
  },
  new Scheduler(),
);
