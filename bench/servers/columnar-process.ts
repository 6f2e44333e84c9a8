import { createServer } from 'node:http';
import { generatedSet } from '../data/generated-set.ts';
import { announce, setToServe } from './announce.ts';
import { type BareColumns, bareColumns, find } from './bare-columns.ts';

/** The reference: bare columns behind bare node:http. It trusts every request. */
const columns: BareColumns = bareColumns(generatedSet(setToServe()));

announce(
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.from(find(columns, JSON.parse(String(Buffer.concat(chunks)))));
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
        .end(body);
    });
  }),
);
