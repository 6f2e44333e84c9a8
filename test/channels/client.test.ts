import { readdir, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientScript } from '../../src/assets/build-assets.ts';
import { fencesOf, readDocument } from '../docs/markdown.ts';
import { SHOWN_URL } from '../docs/run-snippet.ts';
import { commandThatWorks } from '../support/command.ts';
import { cleanUp, temporaryFolder } from '../support/process.ts';
import { ROOT, type Service, startService } from '../support/service.ts';
import { isInstalled, toolCommand, toolPackage } from '../support/tools.ts';
import { CHROMIUM, LEAST_CHROMIUM } from './submit-form.ts';

/** `npm run test:deploy` installs it. */
const NODE_24 = path.join(ROOT, 'test/deploy/runtime/node_modules/.bin/node');

let service: Service;
let front: Front;
let project: string;
let tarball: string;
beforeAll(async () => {
  service = await startService();
  front = await startFront();
  project = await temporaryFolder();
  tarball = await pack(project);
  await install(project, tarball);
});
afterAll(async () => {
  await front?.close();
  await service?.close();
  await cleanUp();
});

describe('the package', () => {
  test('has its code, its types, its licence, and no sources', async () => {
    const listed = await work('tar', ['-tzf', tarball]);
    expect(listed.trim().split('\n').sort()).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/dist/blocks.d.ts',
      'package/dist/blocks.js',
      'package/dist/client.d.ts',
      'package/dist/client.js',
      'package/package.json',
    ]);
  });

  test('publint finds nothing', async () => {
    if (!isInstalled(toolCommand('publint'))) return;
    const found = await work(toolCommand('publint'), ['run', '--strict', tarball]);
    expect(found).toMatch(/All good!/);
  });

  test('are-the-types-wrong finds nothing', async () => {
    if (!isInstalled(toolCommand('attw'))) return;
    // It ends with 1 where it finds something that matters to ES modules.
    const found = await work(toolCommand('attw'), [tarball, '--profile', 'esm-only', '--no-emoji']);
    expect(found).toContain('OK (ESM)');
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('its types are read by TypeScript 5, module %s', async (module, moduleResolution) => {
    if (!isInstalled(toolCommand('tsc'))) return;
    expect(await work(toolCommand('tsc'), ['--version'])).toMatch(/^Version 5\./);
    const [snippet] = fencesOf(readDocument('client/README.md')).filter(
      ({ lang }) => lang === 'ts',
    );
    await writeFile(path.join(project, 'typed.mts'), snippet?.text ?? '');
    const options = ['--module', module, '--moduleResolution', moduleResolution];
    options.push('--strict', '--noEmit', '--target', 'es2022', 'typed.mts');
    await work(toolCommand('tsc'), options);
  });
});

/** Everything that a program needs of the client; what it prints is the same wherever it runs. */
const program = (client: string, options: object) => `
import { BlockyardError, rows, run } from '${client}';

const options = ${JSON.stringify(options)};
const { params } = await run('rgb-to-color-name', { R: 255, G: 127, B: 80 }, options);
const names = [];
for await (const row of rows('census-neighborhoods', { _limit: 20 }, options)) names.push(row.neighborhood_1);
const refused = await run('business-directory', { catgory: 'retail' }, options).catch((error) => error);
const aborted = await run('business-directory', {}, { ...options, signal: AbortSignal.abort() }).catch((error) => error);
const found = {
  name: params.name,
  rows: names.length,
  isTyped: refused instanceof BlockyardError,
  code: refused.code,
  suggestion: refused.errors[0].suggestion,
  hasRunId: /^[0-9a-f-]{36}$/.test(refused.runId),
  aborted: aborted.name,
};
`;

const LOGGING = 'console.log(JSON.stringify(found));';

const FOUND = {
  name: 'Coral',
  rows: 56,
  isTyped: true,
  code: 'invalid-arguments',
  suggestion: 'category',
  hasRunId: true,
  aborted: 'AbortError',
};

/** Of the calls above, each page counts; what was aborted was not sent. */
const REQUESTS = Array.from({ length: 5 }, () => 'POST');

describe('the package as it is installed', () => {
  const calling = async () => {
    const file = path.join(project, 'program.mjs');
    const options = { base_url: service.url };
    await writeFile(file, program('blockyard-client', options) + LOGGING);
    return file;
  };

  test.each([
    ['this Node', process.execPath],
    ['Node 24', NODE_24],
  ])('works on %s', async (_, node) => {
    if (!isInstalled(node)) return;
    expect(JSON.parse(await work(node, [await calling()]))).toEqual(FOUND);
  });

  test('works on Deno', async () => {
    if (!isInstalled(toolCommand('deno'))) return;
    const allowed = ['--no-remote', '--no-prompt', '--allow-net=127.0.0.1'];
    const printed = await work(toolCommand('deno'), ['run', ...allowed, await calling()]);
    expect(JSON.parse(printed)).toEqual(FOUND);
  });
});

describe("the script, from the service's address", () => {
  test('works on Deno, and knows where it is from', async () => {
    if (!isInstalled(toolCommand('deno'))) return;
    front.requests.length = 0;
    const file = path.join(project, 'from-service.mjs');
    await writeFile(file, program(`${front.url}/client.js`, {}) + LOGGING);
    const host = new URL(front.url).host;
    const allowed = [`--allow-import=${host}`, '--no-prompt', `--allow-net=${host}`];
    const printed = await work(toolCommand('deno'), ['run', ...allowed, file]);
    expect(JSON.parse(printed)).toEqual(FOUND);
    expect(front.requests).toEqual(['GET', ...REQUESTS]);
  });

  test('works in Chromium on a page of another origin, with no preflight', async () => {
    if (!hasChromium()) return;
    const found = await inChromium(printing(program(`${front.url}/client.js`, {})));
    expect(JSON.parse(found)).toEqual(FOUND);
    expect(front.requests).toEqual(['GET', ...REQUESTS]);
  });

  test('works there with a key, after a preflight', async () => {
    if (!hasChromium()) return;
    const options = { api_key: 'K-1' };
    const found = await inChromium(printing(program(`${front.url}/client.js`, options)));
    expect(JSON.parse(found)).toEqual(FOUND);
    expect(front.requests.filter((method) => method !== 'OPTIONS')).toEqual(['GET', ...REQUESTS]);
    expect(front.requests).toContain('OPTIONS');
  });

  test("works as the README's page has it", async () => {
    if (!hasChromium()) return;
    const [page] = fencesOf(readDocument('client/README.md')).filter(({ lang }) => lang === 'html');
    const html = page?.text.replaceAll(SHOWN_URL, front.url) ?? '';
    expect(await inChromium(html)).toBe('Coral');
  });
});

/** A page that shows what the program found. */
const printing = (module: string) => `<p></p>
<script type="module">
${module}
document.querySelector('p').textContent = JSON.stringify(found);
</script>`;

function hasChromium(): boolean {
  return isInstalled(CHROMIUM) && isInstalled(toolCommand('playwright-core'));
}

/** What a page shows in its first paragraph, once there is something; the page is at `localhost`. */
async function inChromium(html: string): Promise<string> {
  front.requests.length = 0;
  const driver = path.join(toolPackage('playwright-core'), 'index.mjs');
  const { chromium } = await import(driver);
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  const address = await listen(pages);
  const browser = await chromium.launch({ executablePath: LEAST_CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const failed = new Promise<never>((_, reject) => page.once('pageerror', reject));
    await page.goto(address.replace('127.0.0.1', 'localhost'));
    const shown = page.waitForFunction("document.querySelector('p').textContent");
    return await (await Promise.race([shown, failed])).jsonValue();
  } finally {
    await browser.close();
    await close(pages);
  }
}

type Front = {
  readonly url: string;
  /** The methods of what was asked for. */
  readonly requests: string[];
  close(): Promise<void>;
};

/** The service below a stage, as API Gateway has it, with the client's script beside it. */
async function startFront(): Promise<Front> {
  const script = await clientScript(ROOT);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push(method);
    if (url === '/stage/client.js') {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script);
      return;
    }
    const onward = httpRequest(service.url + url.replace(/^\/stage/, ''), { method, headers });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  return { url: `${await listen(server)}/stage`, requests, close: () => close(server) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Packs the client as it would be published; its path. */
async function pack(folder: string): Promise<string> {
  await work('npm', ['pack', path.join(ROOT, 'client'), '--pack-destination', folder]);
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  return path.join(folder, name ?? 'nothing was packed');
}

async function install(folder: string, file: string): Promise<void> {
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  await work('npm', ['install', '--offline', '--no-audit', '--no-fund', file]);
}

function work(file: string, args: readonly string[]): Promise<string> {
  // Deno keeps what it imports: here, where all is removed.
  const env = { ...process.env, DENO_DIR: path.join(project, 'deno'), DENO_NO_UPDATE_CHECK: '1' };
  return commandThatWorks(file, args, { cwd: project, env });
}
