// Tests that the service tells the local banks its event address, and that the banks send their events to this address.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startLocalBanks } from '../../local-banks/start.ts';
import { playBank } from '../../test/support/banks/played-bank.ts';
import { afterFile } from '../../test/support/sharing/file-group.ts';
import { announceToLocalBanks } from './local-banks.ts';

function makeDirectory(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-announce-'));
  afterFile(() => rmSync(dir, { recursive: true }));
  return dir;
}

test('after the announcement, an incoming payment is reported to the URL of its rail', async () => {
  const dir = makeDirectory();
  const banks = await startLocalBanks({ dir });
  afterFile(() => banks.close());
  await using service = await playBank(() => [200, { responseCode: '00' }]);
  await announceToLocalBanks(path.join(dir, 'banks.json'), service.url);
  const payer = { accountNumber: '0123456785', name: 'ADA OBI', bankCode: '058' };
  for (const rail of ['providus', 'paystack', 'monnify'] as const)
    await banks.payIn({ rail, accountNumber: banks[rail].account.number, amount: '15000.00', payer });
  assert.deepEqual(
    service.asked.map(({ path: asked }) => asked),
    ['/rails/providus-local/events', '/rails/paystack-local/events', '/rails/monnify-local/events'],
  );
});

test('a rail whose kind sends no events is not announced', async () => {
  await using control = await playBank(() => [200, {}]);
  const file = path.join(makeDirectory(), 'banks.json');
  const rails = ['acme', 'paystack'].map((kind) => ({ kind, name: `${kind}-local` }));
  writeFileSync(file, JSON.stringify({ control: control.url, rails }));
  await announceToLocalBanks(file, 'http://service.example');
  assert.deepEqual(
    control.asked.map(({ body }) => body),
    [{ rail: 'paystack', url: 'http://service.example/rails/paystack-local/events' }],
  );
});

test('if the local banks are not running, the call throws an error, and the caller continues', async () => {
  await assert.rejects(announceToLocalBanks('no-such-file.json', 'http://127.0.0.1:1'));
});
