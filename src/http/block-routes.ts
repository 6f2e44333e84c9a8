import { namesInQuery } from '../arguments/names.ts';
import { BLOCKS_PATH, belowRoot, FILES, ROWS } from '../block/addresses.ts';
import type { Block } from '../block/block.ts';
import { DATA_PACKAGE, OPENAPI } from '../block/describe-block.ts';
import { CROISSANT } from '../portals/publication.ts';
import { once } from '../work/once.ts';
import {
  type Answered,
  addressUnknown,
  CACHED_JSON,
  compressed,
  JSON_TYPE,
  type Run,
  rootOf,
} from './answer.ts';
import { answerCached } from './etag.ts';
import { answerBy } from './line.ts';
import { refuseAddressOf } from './not-found.ts';
import { picks } from './picked-arguments.ts';
import { fileOf, jsonOf } from './present-data.ts';
import { pageOf } from './present-page.ts';
import { checkEncoding, readBody, readBytes } from './read-body.ts';
import { acceptedFormatOf } from './read-format.ts';
import { argumentsSent, readQuery, refuseNames } from './read-given.ts';
import { pageAddress } from './request.ts';
import { type Handler, METHODS, type Route, type Routes } from './routes.ts';
import {
  type Asked,
  askedOf,
  isOfDataset,
  type ServedBlock,
  type ServedDataset,
  type ServedRow,
} from './served-block.ts';
import {
  type Handshake,
  handshakeOfBody,
  handshakeOfEmptyPost,
  handshakeOfEvent,
  handshakeOfGet,
  webhookMark,
} from './webhooks.ts';

/**
 * The addresses of one block, the same behind API Gateway and on this machine. API Gateway brings all
 * that lies below them here too.
 */
export function blockRoutes(served: ServedBlock): Routes {
  const { block } = served;
  const route: Route = {
    block: block.name,
    allowed: METHODS,
    GET: (run) => answerGet(run, served),
    POST: (run) => answerPost(run, served),
  };
  const documents = documentRoutes(served);
  const files = isOfDataset(served) ? served.answers.files(served) : undefined;
  const below: [string, Route][] = isOfDataset(served) ? [[ROWS, rowRoute(served)]] : [];
  if (files !== undefined) below.push([FILES, readAt(block, files.ofVersions)]);
  const addresses = [block.id, block.name].map((address) => `${BLOCKS_PATH}/${address}`);
  return {
    at: new Map(
      addresses.flatMap((address): [string, Route][] => [
        [address, route],
        ...documents.map(([file, one]): [string, Route] => [`${address}/${file}`, one]),
        // The name of a block has no dot, so none is another's file.
        ...(files?.current ?? []).map(([extension, one]): [string, Route] => [
          `${address}.${extension}`,
          readAt(block, one),
        ]),
      ]),
    ),
    below: new Map(
      addresses.flatMap((address) =>
        below.map(([folder, one]): [string, Route] => [`${address}/${folder}`, one]),
      ),
    ),
    elsewhere: { block: block.name, any: refuseAddressOf },
  };
}

/** What only reads, at an address of a block. */
function readAt({ name }: Block, GET: Handler): Route {
  return { block: name, allowed: ['GET', 'HEAD', 'OPTIONS'], GET };
}

/** The documents about a block, by their files below its address. */
function documentRoutes(served: ServedBlock): [string, Route][] {
  const { block, openapi, dataPackage, croissant, filesMark } = served;
  const read = readAt.bind(undefined, block);
  const documents: [string, Route][] = [];
  if (openapi !== undefined) {
    documents.push([
      OPENAPI,
      read(async (run) => answerOpenapi(run, await openapi(run.scheduler))),
    ]);
  }
  if (dataPackage !== undefined) {
    documents.push([
      DATA_PACKAGE,
      read((run) => answerDataPackage(run, dataPackage, filesMark?.())),
    ]);
  }
  if (croissant !== undefined) {
    documents.push([CROISSANT, read((run) => answerCroissant(run, croissant, filesMark?.()))]);
  }
  return documents;
}

function answerOpenapi(run: Run, text: string): Promise<Answered> {
  refuseNames(run.request.query, [], "a block's OpenAPI document");
  const headers = { 'Content-Type': JSON_TYPE, Vary: 'Accept-Encoding' };
  return compressed(run, answerCached(run, text, headers));
}

async function answerGet(run: Run, served: ServedBlock): Promise<Answered> {
  const { request } = run;
  const { block, description, known, filesMark } = served;
  const query = readQuery(request.query);
  const handshake = handshakeOfGet(query);
  if (handshake !== undefined) return answerHandshake(handshake);
  const isPicked = picks(query);
  const names = namesInQuery(query, known, false);
  const isRun =
    isPicked ||
    [names.known, names.near, names.strangers].some(({ length }) => length > 0) ||
    acceptedFormatOf(request, block, false) !== 'json';
  if (!isRun) return answerCached(run, description(), CACHED_JSON, filesMark?.());
  const given = await argumentsSent(block, request.headers, { query, isPicked, isPost: false });
  return await answerRun(askedOf(run, served, given, isPicked ? undefined : names));
}

async function answerPost(run: Run, served: ServedBlock): Promise<Answered> {
  const { headers, query: sentQuery } = run.request;
  const { block } = served;
  checkEncoding(headers);
  const bytes = await readBytes(run.request);
  const query = readQuery(sentQuery);
  const early =
    handshakeOfEvent(headers['x-github-event'] ?? null) ??
    (bytes.length === 0 ? handshakeOfEmptyPost(block, query) : undefined);
  if (early !== undefined) return answerHandshake(early);
  const read = readBody(bytes, headers['content-type'] ?? '');
  const sent = read instanceof Promise ? await read : read;
  // A delivery in a webhook envelope is an event, never a bare challenge.
  const handshake = webhookMark(headers) === undefined ? handshakeOfBody(block, sent) : undefined;
  if (handshake !== undefined) return answerHandshake(handshake);
  const isPicked = picks(query);
  const given = argumentsSent(block, headers, { query, isPicked, isPost: true, sent });
  return await answerRun(askedOf(run, served, given instanceof Promise ? await given : given));
}

/**
 * Runs a block: each format is presented in its own way. Only a page and its figure load the code
 * of pages, of figures and of languages.
 */
function answerRun(asked: Asked): Promise<Answered> {
  const { format, served } = asked;
  if (format === 'html') {
    return served.views().then((views) => answerBy(asked, pageOf(asked, views)));
  }
  if (format === 'svg' && ofDataset(asked)) return asked.served.answers.picture(asked);
  return format === 'json' ? answerBy(asked, jsonOf(asked)) : answerBy(asked, fileOf(asked));
}

function ofDataset(asked: Asked): asked is Asked<ServedDataset> {
  return isOfDataset(asked.served);
}

/** What is at the addresses of a dataset's rows, which take arguments as `oneRowOf` says. */
function rowRoute(served: ServedDataset): Route {
  const ofOneRow = once(() => served.answers.ofOneRow(served));
  return readAt(served.block, (run) => answerRow(run, ofOneRow()));
}

async function answerRow(run: Run, served: ServedRow): Promise<Answered> {
  const given = { query: readQuery(run.request.query), body: {}, isPost: false, isWebhook: false };
  return served.answers.row(askedOf(run, served, given));
}

/** Answers a handshake. The sender's text is echoed as plain text, never as HTML. */
function answerHandshake({ status, text }: Handshake): Answered {
  const headers = {
    ...(text === null ? {} : { 'Content-Type': 'text/plain; charset=utf-8' }),
    'Cache-Control': 'no-store',
  };
  return { status, headers, body: text };
}

/** Answers with a dataset's Data Package, whose path is below the block's address as the caller sees it. */
function answerDataPackage(
  run: Run,
  dataPackage: NonNullable<ServedBlock['dataPackage']>,
  mark: string | undefined,
): Answered {
  refuseNames(run.request.query, [], 'a Data Package, which describes all rows');
  const { url, toRoot } = pageAddress(run.request);
  const hrefOf = (reference: string) => new URL(`${toRoot}${belowRoot(reference)}`, url).href;
  const text = JSON.stringify(dataPackage(hrefOf));
  return answerCached(run, text, { 'Content-Type': JSON_TYPE }, mark);
}

/** Answers with a dataset's description in Croissant. */
function answerCroissant(
  run: Run,
  croissant: (root: string) => object,
  mark: string | undefined,
): Answered {
  refuseNames(run.request.query, [], 'a Croissant description, which is of all rows');
  const root = rootOf(run);
  if (root === undefined) throw addressUnknown();
  const text = JSON.stringify(croissant(root));
  return answerCached(run, text, { 'Content-Type': 'application/ld+json' }, mark);
}
