import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '../dynamodb/client.ts';
import { isPassing, ReadClient } from '../dynamodb/read-client.ts';
import type { OnProgress } from '../recipe/gather-evidence.ts';
import { valueWithin } from '../work/waiting.ts';
import { type EmbeddedDynamodb, StoreEnded, startEmbeddedDynamodb } from './embedded-dynamodb.ts';
import type { Clients } from './prepare-datasets.ts';

/** The end of a process may be noticed a little after it no longer answers. */
const NOTICED_WITHIN_MS = 1000;

type Opened = {
  /** The store's folder, within the data folder. */
  readonly name: string;
  readonly client: Clients['client'];
  readonly reader: ReadClient;
  readonly embedded: EmbeddedDynamodb;
};

/**
 * The server's own DynamoDB, in a process of its own. It holds only what was imported. Damaged data
 * are never served: what needs them is a 503, and the next start imports everything into another
 * store beside it. The damaged one goes once the other is whole.
 */
export class OwnStore {
  /** Resolves when its process has ended without being stopped: without it, most is a 503. */
  readonly lost: Promise<Error>;
  #lose: (error: Error) => void = () => {};
  readonly #folder: string;
  readonly #onProgress: OnProgress;
  #opening: Promise<Opened>;
  /** The store that is damaged, while another is filled. */
  #replaced: string | undefined;

  constructor(folder: string, onProgress: OnProgress) {
    this.#folder = folder;
    this.#onProgress = onProgress;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    this.#opening = this.#open();
    // Callers handle its failure where they wait for it.
    this.#opening.catch(() => {});
  }

  async clients(): Promise<Clients> {
    const { name, client, reader } = await this.#opening;
    return { client, reader, markDamaged: () => this.#write({ name, isDamaged: true }) };
  }

  /** Fills the store by `prepare`. If the store proves to be damaged, fills another one instead. */
  async fill<T>(prepare: () => Promise<T>): Promise<T> {
    const filled = await prepare().catch(async (error) => {
      if (!(await this.#replace(error))) throw error;
      return prepare();
    });
    await this.#settle();
    return filled;
  }

  /** Opens another store if an error shows that this one is damaged. Returns whether it has. */
  async #replace(cause: Error): Promise<boolean> {
    const opened = await this.#opening;
    if (this.#replaced !== undefined) return false;
    const isOfStore = '$metadata' in cause && !isPassing(cause);
    const end = isOfStore ? cause : await valueWithin(opened.embedded.ended, NOTICED_WITHIN_MS);
    if (end === undefined || (end instanceof StoreEnded && !end.isDamage)) return false;
    await this.#close(opened);
    this.#report(end);
    this.#opening = this.#openAnew(opened.name);
    await this.#opening;
    return true;
  }

  /** Makes the store the one of the next start, once all is in it, and removes a damaged one. */
  async #settle(): Promise<void> {
    const { name } = await this.#opening;
    if (this.#replaced === undefined) return;
    await this.#write({ name });
    await removeStore(this.#folder, this.#replaced);
    this.#replaced = undefined;
  }

  /** Returns why it had ended before, if it had. */
  async stop(): Promise<Error | undefined> {
    try {
      return await this.#close(await this.#opening);
    } catch (error) {
      return error as Error;
    }
  }

  async #open(): Promise<Opened> {
    const { name, isDamaged } = await this.#read();
    if (isDamaged) return this.#openAnew(name);
    try {
      return await this.#openAt(name);
    } catch (error) {
      if (!(error instanceof StoreEnded) || !error.isDamage) throw error;
      this.#report(error);
      return this.#openAnew(name);
    }
  }

  /** Opens an empty store beside a damaged one. */
  async #openAnew(damaged: string): Promise<Opened> {
    this.#replaced = damaged;
    const name = `store-${Number(/\d+$/.exec(damaged)?.[0] ?? 0) + 1}`;
    // An earlier start may not have filled it.
    await removeStore(this.#folder, name);
    return this.#openAt(name);
  }

  async #openAt(name: string): Promise<Opened> {
    const embedded = await startEmbeddedDynamodb(path.join(this.#folder, name));
    const opened = {
      name,
      embedded,
      client: createClient(embedded),
      reader: new ReadClient(embedded),
    };
    embedded.ended.then(async (error) => {
      if (error === undefined) return;
      if (error.isDamage) await this.#write({ name, isDamaged: true }).catch(() => {});
      this.#lose(error);
    });
    return opened;
  }

  async #close({ client, reader, embedded }: Opened): Promise<Error | undefined> {
    client.destroy();
    reader.destroy();
    await embedded.stop();
    return embedded.ended;
  }

  #report(damage: Error): void {
    const [reason] = (damage instanceof StoreEnded ? damage.reason : damage.message).split('\n');
    this.#onProgress(
      `The data in ${this.#folder} are damaged (${reason}): they are imported again.`,
    );
  }

  async #read(): Promise<StoreRecord> {
    try {
      const { name, isDamaged } = JSON.parse(await readFile(this.#file, 'utf8'));
      return { name: String(name), ...(isDamaged === true ? { isDamaged } : {}) };
    } catch {
      return { name: '.' };
    }
  }

  async #write(record: StoreRecord): Promise<void> {
    await writeFile(`${this.#file}.part`, JSON.stringify(record));
    // A killed process leaves the whole file, or the one before.
    await rename(`${this.#file}.part`, this.#file);
  }

  get #file(): string {
    return path.join(this.#folder, 'store.json');
  }
}

/** Which store of a data folder is used: the folder itself, until that was damaged once. */
type StoreRecord = { readonly name: string; readonly isDamaged?: true };

/** What LevelDB calls its files. */
const OF_LEVELDB = /^(?:CURRENT|LOCK|LOG(?:\.old)?|MANIFEST-\d+|\d+\.(?:ldb|log|sst|dbtmp))$/;

async function removeStore(folder: string, name: string): Promise<void> {
  const whole = path.join(folder, name);
  if (name !== '.') return rm(whole, { recursive: true, force: true });
  for (const file of await readdir(whole)) {
    if (OF_LEVELDB.test(file)) await rm(path.join(whole, file), { force: true });
  }
}
