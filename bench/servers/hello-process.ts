import { createServer } from 'node:http';
import { announce } from './announce.ts';

/** What Node's own server can do at best: one constant, no data. */
const BODY = '{"hello":"world"}';
const headers = { 'Content-Type': 'application/json', 'Content-Length': BODY.length };

announce(createServer((_, response) => response.writeHead(200, headers).end(BODY)));
