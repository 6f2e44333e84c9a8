import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveDataset } from '../../src/http/serve-dataset.ts';
import { localServer } from '../../src/local/local-server.ts';
import type { RowStore } from '../../src/query/row-store.ts';
import { runProgram } from '../support/command.ts';
import { makeDataset } from '../support/datasets.ts';
import { memoryRows } from '../support/memory-rows.ts';
import { tinyBlock } from '../support/tiny-block.ts';
import { isInstalled } from '../support/tools.ts';
import { RUNNERS } from './run-quickstart.ts';

const ROWS = 20_000;
const dataset = makeDataset(
  tinyBlock,
  Array.from({ length: ROWS }, (_, number) => ({ street: `Street ${number}`, number })),
  { title: 't', publisher: 'p', license: 'l', date: '2026' },
);
const whole = memoryRows(tinyBlock.fields, dataset.rows);
const failing: RowStore = {
  read: (query, budget) => whole.read(query, budget),
  group: (...asked) => whole.group(...asked),
  async *rest(query, budget, reads) {
    let batches = 0;
    for await (const batch of whole.rest(query, budget, reads)) {
      yield batch.slice(0, 5000);
      if (++batches === 1) throw new Error('broken');
    }
  },
};

const servers: Server[] = [];
async function addressOf(store: RowStore): Promise<string> {
  const served = serveDataset({ block: tinyBlock, manifest: dataset.manifest, store });
  const server = localServer([served], SETTINGS);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api_v2/blocks/tiny?_format=csv`;
}

let [good, bad] = ['', ''];
beforeAll(async () => {
  [good, bad] = await Promise.all([addressOf(whole), addressOf(failing)]);
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

/** Programs that print the number of rows at an address, as people write them. */
const PROGRAMS: readonly (readonly [as: string, needs: string, program: string])[] = [
  ['sh', 'curl', 'rows=$(curl -sS --fail "$ADDRESS") || exit 1\necho "$rows" | tail -n +2 | wc -l'],
  [
    'js',
    'node',
    "const text = await (await fetch(process.env.ADDRESS)).text();\nconsole.log(text.trim().split('\\n').length - 1);",
  ],
  ['python', 'python3', 'import os, pandas\nprint(len(pandas.read_csv(os.environ["ADDRESS"])))'],
  ['r', 'Rscript', 'cat(nrow(read.csv(Sys.getenv("ADDRESS"))))'],
  ['ruby', 'ruby', "require 'net/http'\nputs Net::HTTP.get(URI(ENV['ADDRESS'])).lines.length - 1"],
  [
    'go',
    'go',
    `package main

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
)

func main() {
	response, err := http.Get(os.Getenv("ADDRESS"))
	if err != nil {
		panic(err)
	}
	rows, err := csv.NewReader(response.Body).ReadAll()
	if err != nil {
		panic(err)
	}
	fmt.Println(len(rows) - 1)
}
`,
  ],
];

import { SETTINGS } from '../support/ample.ts';

describe.each(PROGRAMS.filter(([, needs]) => isInstalled(needs)))('%s', (as, _, program) => {
  const run = async (address: string) => {
    const { command, file } = RUNNERS[as] as (typeof RUNNERS)[string];
    const folder = await mkdtemp(path.join(tmpdir(), 'blockyard-whole-'));
    try {
      await writeFile(path.join(folder, file), program);
      return await runProgram([...command, file], folder, { ADDRESS: address });
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('gets every row', async () => {
    const { code, out } = await run(good);
    expect([code, out.trim()]).toEqual([0, String(ROWS)]);
  });

  test('fails where the answer breaks off', async () => {
    const { code, out } = await run(bad);
    expect([code === 0, out.trim()]).toEqual([false, '']);
  });
});
