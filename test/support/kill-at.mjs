// Loaded before a program (`node --import`): kills it, as `kill -9` does, while it changes files.
// KILL_AT is the place: its whole part is the number of a change, from 0, and the rest is how much of
// that change is done. Without it, nothing is killed, and CHANGES_FILE gets the number of changes.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const killAt = Number(process.env.KILL_AT ?? Number.POSITIVE_INFINITY);
const real = { ...fs };
let changes = 0;

const bytesOf = (data) =>
  Buffer.concat(
    (Array.isArray(data) ? data : [data]).map((some) =>
      typeof some === 'string' ? Buffer.from(some) : some,
    ),
  );
const partOf = (bytes, part) => bytes.subarray(0, Math.floor(bytes.length * part));

/** Does a part of a change; what cannot be done in parts is done for half and more. */
const PARTLY = {
  writeFile: (part, file, data) => real.writeFileSync(file, partOf(bytesOf(data), part)),
  write: (part, fd, buffer) => real.writeSync(fd, partOf(buffer, part)),
  writev: (part, fd, buffers) => real.writeSync(fd, partOf(bytesOf(buffers), part)),
  rm: (part, file, options) => {
    if (!real.existsSync(file)) return;
    if (!real.statSync(file).isDirectory()) return part >= 0.5 && real.rmSync(file, options);
    const names = real.readdirSync(file);
    for (const name of names.slice(0, Math.round(names.length * part))) {
      real.rmSync(path.join(file, name), options);
    }
  },
};

function change(name, args) {
  const part = killAt - changes++;
  if (part < 0 || part >= 1) return;
  if (PARTLY[name] !== undefined) PARTLY[name](part, ...args);
  else if (part >= 0.5) real[`${name}Sync`](...args.filter((one) => typeof one !== 'function'));
  process.kill(process.pid, 'SIGKILL');
}

/** Counts the changes that a function makes. */
function count(owner, name, changed = name) {
  const original = owner[name];
  owner[name] = (...args) => {
    change(changed, args);
    return original(...args);
  };
}

for (const name of ['writeFile', 'rename', 'mkdir', 'mkdtemp', 'rm', 'copyFile']) {
  count(fs.promises, name);
  count(fs, `${name}Sync`, name);
}
for (const name of ['write', 'writev']) count(fs, name);
syncBuiltinESMExports();

process.on('exit', () => {
  const { CHANGES_FILE } = process.env;
  if (CHANGES_FILE !== undefined) real.writeFileSync(CHANGES_FILE, String(changes));
});
