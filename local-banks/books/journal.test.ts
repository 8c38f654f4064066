import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { afterFile } from '../../test/support/sharing/file-group.ts';
import type { BooksOverview } from '../control/overview.ts';
import { callBank, makeBankTestStage } from '../test-stage.ts';

const STARTER = `
  import { startLocalBanks } from ${JSON.stringify(new URL('../start.ts', import.meta.url).href)};
  const { control, providus } = await startLocalBanks({ dir: process.argv[1] });
  console.log(JSON.stringify({ control, providus }));
`;

interface Started {
  readonly control: string;
  readonly providus: { readonly url: string; readonly credentials: { userName: string; password: string } };
}

async function startProcess(dir: string): Promise<Started & { readonly child: ChildProcess }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', STARTER, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterFile(() => kill(child));
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string];
  return { ...(JSON.parse(line) as Started), child };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('the journal of the local banks', () => {
  it('a bank that is killed while it pays has paid each reference at most once, and keeps a record of every payment', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-banks-'));
    afterFile(() => rmSync(dir, { recursive: true }));
    const first = await startProcess(dir);
    const pay = ({ providus: { url, credentials } }: Started, reference: string) =>
      callBank(`${url}/NIPFundTransfer`, {
        method: 'POST',
        body: {
          ...{
            ...credentials,
            beneficiaryAccountName: 'ADA',
            transactionAmount: '100.00',
            currencyCode: 'NGN',
          },
          ...{
            beneficiaryAccountNumber: '0123456785',
            beneficiaryBank: '000013',
            transactionReference: reference,
          },
        },
      });
    const answered: string[] = [];
    const paying = Array.from({ length: 200 }, async (_, index) => {
      const { json } = await pay(first, `ref-${index}`);
      if (json.responseCode === '00') answered.push(`ref-${index}`);
    });
    await Promise.race(paying);
    await kill(first.child);
    await Promise.allSettled(paying);
    const second = await startProcess(dir);
    assert.deepEqual(second.providus.credentials, first.providus.credentials);
    const read = async () => (await callBank(`${second.control}/books`)).json as unknown as BooksOverview;
    const known = (await read()).providus.payouts.map(({ reference }) => reference);
    assert.ok(answered.length > 0);
    assert.deepEqual(
      answered.filter((reference) => !known.includes(reference)),
      [],
    );
    for (let index = 0; index < 200; index++) await pay(second, `ref-${index}`);
    const { payouts, balance } = (await read()).providus;
    assert.equal(payouts.length, 200);
    assert.equal(balance, '499980000.00');
  });

  it('has the same books after a restart, and ignores a truncated line in the journal', async () => {
    const first = await makeBankTestStage();
    const { banks, dir } = first;
    banks.setAccount({ number: '0123456785', name: 'ADA OKAFOR' });
    await banks.payIn({
      ...{ rail: 'paystack', accountNumber: banks.paystack.account.number, amount: '15000.50' },
      payer: { accountNumber: '0123450011', name: 'ADA OKAFOR', bankCode: '058' },
    });
    banks.topUp({ rail: 'monnify', amount: '0.01' });
    const before = banks.books();
    await first.stop();
    appendFileSync(path.join(dir, 'journal.jsonl'), '{"type":"top-up","rail":"monn');
    const second = await makeBankTestStage(dir);
    assert.deepEqual(second.banks.books(), before);
    second.banks.topUp({ rail: 'monnify', amount: '1' });
    assert.equal(second.banks.books().monnify.balance, '500000001.01');
    await second.stop();
    const third = await makeBankTestStage(dir);
    assert.equal(third.banks.books().monnify.balance, '500000001.01');
    await third.end();
  });

  it('a rail that the journal does not contain gets its accounts and money at the next start, and the others stay as they are', async () => {
    const first = await makeBankTestStage();
    first.banks.topUp({ rail: 'paystack', amount: '0.01' });
    const before = first.banks.books();
    await first.stop();
    const journal = path.join(first.dir, 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, lines.filter((line) => !line.includes('"monnify"')).join('\n'));
    const second = await makeBankTestStage(first.dir);
    assert.deepEqual(second.banks.books(), before);
    await second.stop();
    const third = await makeBankTestStage(first.dir);
    assert.deepEqual(third.banks.books(), before);
    await third.end();
  });

  it('after a restart, sends a webhook again if it was not accepted before', async () => {
    const first = await makeBankTestStage();
    first.banks.setWebhooks({ rail: 'providus', url: 'http://127.0.0.1:1/' });
    const { settlementId } = await first.banks.payIn({
      ...{ rail: 'providus', accountNumber: first.banks.providus.account.number, amount: '15000' },
      payer: { accountNumber: '0123450011', name: 'ADA OKAFOR', bankCode: '058' },
    });
    await first.stop();
    const second = await makeBankTestStage(first.dir);
    second.receiver.answers.push({ responseCode: '00' });
    second.banks.setWebhooks({ rail: 'providus', url: second.receiver.url });
    second.clock.pass(5);
    await second.banks.settle();
    assert.equal(second.receiver.received[0]?.json.settlementId, settlementId);
    await second.end();
  });

  it('stores every secret in a file that only its owner can read', async () => {
    const { banks, dir, end } = await makeBankTestStage();
    const { rails } = JSON.parse(readFileSync(banks.environment.BANKS_FILE!, 'utf8')) as {
      rails: { kind: string; options: Record<string, string> }[];
    };
    assert.deepEqual(
      rails.map(({ kind }) => kind),
      ['nip-bank', 'paystack', 'monnify'],
    );
    const files = rails.flatMap(({ options }) =>
      Object.entries(options).flatMap(([name, value]) => (name.endsWith('_file') ? [value] : [])),
    );
    assert.equal(files.length, 5);
    for (const file of files) assert.equal(statSync(path.join(dir, file)).mode & 0o777, 0o600);
    const key = readFileSync(path.join(dir, 'paystack-secret-key'), 'utf8').trim();
    assert.equal(key, banks.paystack.credentials.secretKey);
    await end();
  });
});
