import { createClient } from '../dynamodb/client.ts';
import { isPassing, ReadClient } from '../dynamodb/read-client.ts';
import { within } from '../work/waiting.ts';
import { type EmbeddedDynamodb, StoreEnded, startEmbeddedDynamodb } from './embedded-dynamodb.ts';
import type { Clients, Tell } from './prepare-datasets.ts';

/** How often a run may empty its store. If its data are damaged once more, a person is needed. */
const MOST_TIMES = 3;

/** The end of a process may be noticed a little after it no longer answers. */
const NOTICED_WITHIN_MS = 1000;

type Opened = Pick<Clients, 'client'> & {
  readonly embedded: EmbeddedDynamodb;
  readonly reader: ReadClient;
};

/**
 * The server's own DynamoDB, in a process of its own. It holds only what was imported. So if it is
 * damaged, it is emptied and opened again, and its datasets are imported again.
 */
export class OwnStore {
  /** Resolves if it has ended for good: without it, most is a 503. */
  readonly lost: Promise<Error>;
  #lose: (error: Error) => void = () => {};
  readonly #folder: string;
  readonly #tell: Tell;
  #opening: Promise<Opened>;
  #times = 0;

  constructor(folder: string, tell: Tell) {
    this.#folder = folder;
    this.#tell = tell;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    this.#opening = this.#open();
    // Its failure is met where it is waited for.
    this.#opening.catch(() => {});
  }

  /** The clients of the store. Once it is emptied, there are new ones. */
  async clients(): Promise<Required<Clients>> {
    const opening = this.#opening;
    const { client, reader } = await opening;
    return { client, reader, renew: (damage) => this.#renew(opening, damage) };
  }

  /** Returns why it had ended before, if it had. */
  async stop(): Promise<Error | undefined> {
    try {
      return await this.#close(await this.#opening);
    } catch (error) {
      return error as Error;
    }
  }

  async #open(damage?: Error): Promise<Opened> {
    try {
      if (damage !== undefined) this.#tellOf(damage);
      const embedded = await startEmbeddedDynamodb(this.#folder, damage !== undefined);
      const client = createClient(embedded);
      const opened = { embedded, client, reader: new ReadClient(embedded) };
      const opening = this.#opening;
      embedded.ended.then((error) => {
        if (error !== undefined) this.#renew(opening, error).catch(() => {});
      });
      return opened;
    } catch (error) {
      if (damage !== undefined || !(error instanceof StoreEnded) || !error.isDamage) throw error;
      return this.#open(error);
    }
  }

  /** Empties the store, unless that was done since, or it just does not answer. */
  async #renew(opening: Promise<Opened>, cause: Error): Promise<void> {
    const { embedded } = await opening;
    const end = isPassing(cause) ? await within(embedded.ended, NOTICED_WITHIN_MS) : cause;
    if (end === undefined) throw cause;
    if (this.#opening === opening) {
      this.#opening = this.#reopen(opening, end);
      this.#opening.catch(this.#lose);
    }
    await this.#opening;
  }

  async #reopen(opening: Promise<Opened>, cause: Error): Promise<Opened> {
    const end = (await this.#close(await opening)) ?? cause;
    if (end instanceof StoreEnded && !end.isDamage) throw end;
    return this.#open(end);
  }

  async #close({ client, reader, embedded }: Opened): Promise<Error | undefined> {
    client.destroy();
    reader.destroy();
    await embedded.stop();
    return embedded.ended;
  }

  #tellOf(damage: Error): void {
    const [reason] = (damage instanceof StoreEnded ? damage.reason : damage.message).split('\n');
    if (this.#times++ === MOST_TIMES) {
      throw new Error(
        `the data in ${this.#folder} are damaged again (${reason}); check its disk, or set DATA_DIR to another folder`,
      );
    }
    this.#tell(`The data in ${this.#folder} are damaged (${reason}): they are imported again.`);
  }
}
