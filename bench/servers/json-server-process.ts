import { createServer } from 'node:http';
import jsonServer from 'json-server';
import { generatedSet } from '../data/generated-set.ts';
import { announce, setToServe } from './announce.ts';

/** json-server on rows in memory, without the request log that its command line adds. */
const app = jsonServer.create();
app.use(jsonServer.router({ rows: [...generatedSet(setToServe()).rows] }));

announce(createServer(app));
