// Reading a statement file delays no other request: the thread of the reader is held by the test while the service answers. A
// refused file does not stop its connection.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { readColumnProfiles } from '../../../src/adapters/statements/csv/column-profile.ts';
import { makeThreadedReaders } from '../../../src/adapters/statements/thread/threaded-readers.ts';
import { findStatementAccount } from '../../../src/app/statements/find-statement-account.ts';
import { importStatement } from '../../../src/app/statements/import-statement.ts';
import { inTime, until } from '../../support/patience.ts';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback', STATEMENT_READ_MEMORY_MB: '77' });
const browser = await signedIn(service, await addConsolePerson(service, { operator: 'reviewer' }));
const folder = mkdtempSync(path.join(tmpdir(), 'sliproad-held-'));
process.env.HELD_READING = folder;
after(() => {
  delete process.env.HELD_READING;
  rmSync(folder, { recursive: true });
});
const AT = '/console/v1/operator/statements/test';
const { foundation } = service;
const vendor = (await foundation.backOffice.listVendors()).find(({ mode }) => mode === 'test')!;
const fileOf = (day: string) =>
  `Account Number,${vendor.number}\nDate,Description,Debit,Credit,Balance\n${day},SMS FEE,4.00,,"96.00"\n`;
const upload = (text: string) =>
  browser.send('POST', `${AT}?vendor_id=${vendor.id}&name=a.csv`, {
    ...{ body: text, headers: { 'content-type': 'application/octet-stream' } },
  });

test('threat 107: the service reads an upload in a thread with its limits', async (t) => {
  const limits: (number | undefined)[] = [];
  // A thread that has ended has no limits any more.
  const seen = (worker: Worker) => void limits.push(worker.resourceLimits?.maxOldGenerationSizeMb);
  process.on('worker', seen);
  t.after(() => process.off('worker', seen));
  assert.equal((await upload(fileOf('2026-01-05'))).status, 200);
  assert.deepEqual(limits, [77]);
});

test('threat 107: while a file is being read, other requests are answered, and the page can show the progress', async () => {
  const limits = { timeMs: 600_000, memoryMb: 256 };
  const thread = new URL('../../support/statements/held-thread.ts', import.meta.url);
  const statementReaders = makeThreadedReaders(readColumnProfiles(null), limits, thread);
  const account = await findStatementAccount(foundation, 'test', { vendorId: vendor.id });
  assert.ok(account.ok);
  const text = fileOf('2026-01-06');
  // The service and this import share the event loop and the database.
  const importing = importStatement(
    { ...foundation, statementReaders },
    {
      ...{ account: account.value, name: 'held.csv', profile: null, profileChange: false, dryRun: false },
      ...{ actor: 'os:test', size: text.length },
      bytes: (async function* () {
        yield Buffer.from(text);
      })(),
    },
  );
  await until('the thread is held', () => existsSync(path.join(folder, 'held')));
  await until('the file is shown as being read', async () => {
    const { status, body } = await browser.send('GET', AT);
    assert.equal(status, 200);
    const [file] = body.files;
    return file.state === 'reading' && file.bytes_total === text.length;
  });
  writeFileSync(path.join(folder, 'released'), '');
  const done = await importing;
  assert.deepEqual(done.ok && [done.value.file.state, done.value.file.bytesRead], ['done', text.length]);
});

test('a refused file of several megabytes is read to its end, and the next request on its connection is answered', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, origin: service.baseUrl, 'x-csrf-token': browser.csrf ?? '' };
  const send = (method: string, path: string, body?: Buffer) =>
    new Promise<number>((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': 'application/octet-stream' };
      const options = { agent, method, headers: { ...headers, ...type } };
      const sent = request(new URL(path, service.baseUrl), options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode!));
      });
      sent.on('socket', (socket) => sockets.add(socket)).on('error', reject);
      sent.end(body);
    });
  const refused = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4_000_000, 'x')]);
  const upload = inTime('the refusal', send('POST', `${AT}?vendor_id=${vendor.id}&name=a.pdf`, refused));
  assert.equal(await upload, 422);
  assert.equal(await inTime('the next answer', send('GET', AT)), 200);
  assert.equal(sockets.size, 1);
  agent.destroy();
});
