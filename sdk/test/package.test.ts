// Tests the published package: the tarball has the right files, it runs in every runtime of this machine, and its types
// resolve.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { limitMs } from '../../test/support/patience.ts';
import { afterLast, eventNo, eventRoutes, openStream, textOf } from './support/event-server.ts';
import { installPacked, nodesOfThisMachine, onPath, type Project, repository } from './support/packed.ts';
import { ACCEPTED, type Play, startPlaying } from './support/playing-server.ts';

const run = promisify(execFile);
const server = await startPlaying();
const support = path.join(import.meta.dirname, 'support');
const installed = (project: Project) => path.join(project.dir, 'node_modules', '@sliproad', 'sdk');
const EXPECTED =
  'bought txn_1, streamed evt_00002_1 evt_00003_1 evt_00004_1 evt_00005_1, transaction.completed signature_wrong, transaction.completed signature_wrong, done, stopped\n';
const project = await installPacked();
copyFileSync(path.join(support, 'smoke.mjs'), path.join(project.dir, 'smoke.mjs'));

/** A server that breaks the connection of the first buy and of the first stream. */
function breakFirst(): Play {
  const log = [1, 2, 3, 4, 5].map((number) => eventNo(number));
  let [buys, streams] = [0, 0];
  const stream = eventRoutes(log, (seen, response) => {
    openStream(response);
    const text = afterLast(seen, log)
      .map((event) => textOf(event))
      .join('');
    if (streams++ > 0) return void response.write(text);
    response.write(text.slice(0, text.length / 2));
    setTimeout(() => response.destroy(), 20);
  });
  return (seen, response) => {
    if (seen.url.startsWith('/requests/')) return;
    if (seen.url.startsWith('/events/')) return stream(seen, response);
    return buys++ > 0 ? ACCEPTED(seen, response) : void response.destroy();
  };
}

async function smokeWith(bin: string, args: readonly string[]): Promise<void> {
  server.play(breakFirst());
  const main = project.write(
    'main.mjs',
    `import * as sdk from '@sliproad/sdk';\nimport { smoke } from './smoke.mjs';\nconsole.log(await smoke(sdk, '${server.baseUrl}'));\n`,
  );
  const { stdout } = await run(bin, [...args, main], { cwd: project.dir, timeout: limitMs('condition') });
  assert.equal(stdout, EXPECTED);
}

test('the tarball contains built files, types, the README and the licence, and the package has no dependencies', () => {
  const files = project.files;
  for (const name of [
    'dist/index.js',
    'dist/index.d.ts',
    'dist/api-types.d.ts',
    'README.md',
    'LICENSE',
    'package.json',
  ]) {
    assert.ok(files.includes(name), name);
  }
  assert.ok(
    files.every((name) => /^(dist\/[\w/-]+\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(name)),
    String(files),
  );
  const manifest = JSON.parse(readFileSync(path.join(installed(project), 'package.json'), 'utf8'));
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    assert.equal(manifest[kind], undefined);
  for (const name of files.filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(path.join(installed(project), name), 'utf8');
    assert.doesNotMatch(
      text,
      /from ['"](?!\.)|from ['"][^'"]*\.ts['"]|\bnode:|\bBuffer\b|\bprocess\b|\brequire\(/,
      name,
    );
  }
});

describe('the package runs', () => {
  for (const { bin, version } of nodesOfThisMachine()) {
    test(`in Node ${version}`, () => smokeWith(bin, []));
  }
  const [deno] = onPath('deno');
  test('in Deno', { skip: deno === undefined && 'deno is not on the PATH' }, () =>
    smokeWith(deno!, ['run', '--allow-net']),
  );
  const [bun] = onPath('bun');
  test('in Bun', { skip: bun === undefined && 'bun is not on the PATH' }, () => smokeWith(bun!, []));

  test('with only the web globals', async () => {
    server.play(breakFirst());
    const args = ['--experimental-vm-modules', '--no-warnings', path.join(support, 'web-context.mjs')];
    const { stdout } = await run(process.execPath, [
      ...args,
      path.join(installed(project), 'dist'),
      server.baseUrl,
    ]);
    assert.equal(stdout, EXPECTED);
  });
});

describe('its types resolve', () => {
  const CONSUMER = `import { Sliproad, SliproadApiError, type SliproadEvent, testEvent, type Transaction, verifyWebhook } from '@sliproad/sdk';
    const sliproad = new Sliproad({ secretKey: 'k', baseUrl: 'https://a.example', businessId: 'b', linkTag: 't' });
    export async function work(request: Request): Promise<Transaction['state']> {
      const [vendor] = await sliproad.vendors();
      const buy = await sliproad.buy({ amount: 1, vendor: vendor!, account_number: '1', bank_name: 'b' }, { scenario: 'paid' });
      // @ts-expect-error an amount is a number
      await sliproad.sell({ amount: '1', account_name: 'a', account_number: '1', bank_name: 'b' });
      // @ts-expect-error no such state
      await sliproad.waitFor(buy.transaction_id, 'lost');
      for await (const each of sliproad.transactions.list({ state: 'completed' })) each.amount.toFixed(2);
      const event: SliproadEvent = await verifyWebhook({ payload: await request.text(), headers: request.headers, secret: 'whsec_' });
      if (event.type === 'refund.completed') event.data.refund.amount.toFixed(2);
      if (event.type === 'transaction.completed') return event.data.transaction.state;
      const made: 'transaction.paid' = testEvent('transaction.paid').type;
      try { await sliproad.banks(); } catch (error) { if (error instanceof SliproadApiError && error.code === 'unauthorized') return 'paid'; }
      return made === 'transaction.paid' ? 'paid' : 'sending';
    }`;
  const SETTINGS = [
    {
      name: 'in a browser or worker',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'webworker'],
    },
    {
      name: 'in a page',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      lib: ['es2022', 'dom', 'dom.iterable'],
    },
    {
      name: 'in Node',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      lib: ['es2022'],
      types: ['node'],
      typeRoots: [path.join(repository, 'node_modules', '@types')],
      skipLibCheck: true,
    },
  ];
  for (const { name, ...settings } of SETTINGS) {
    test(name, async () => {
      project.write('consumer.ts', CONSUMER);
      const compilerOptions = {
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: [],
        ...settings,
      };
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
      const tsc = path.join(repository, 'node_modules', '.bin', 'tsc');
      const { stdout } = await run(tsc, ['-p', project.dir]).catch((error: { stdout: string }) => error);
      assert.equal(stdout, '');
    });
  }
});
