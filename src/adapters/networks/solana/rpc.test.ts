// What is really asked of a Solana provider: the commitment of every question, as it goes over the wire, and which word of a
// provider counts as final. Confirmed is not final; a height that only is confirmed may still be left behind.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { connectSolana } from './rpc.ts';

interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const ADDRESS = 'So11111111111111111111111111111111111111112';
const CONTEXT = { slot: 7, apiVersion: '2.0.0' };

const asked: Asked[] = [];
let answer: (asked: Asked) => unknown = () => null;
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
    asked.push({ method, params });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer({ method, params }) }));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const client = connectSolana(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

/** One question, and what went over the wire. A provider that is given no commitment takes `finalized`. */
async function asking(result: unknown, ask: () => Promise<unknown>) {
  answer = () => result;
  asked.length = 0;
  const value = await ask();
  const [{ method, params }, ...more] = asked as [Asked, ...Asked[]];
  assert.deepEqual(more, [], 'one question');
  const config = (params.find((each) => typeof each === 'object' && !Array.isArray(each)) ?? {}) as {
    commitment?: string;
    searchTransactionHistory?: boolean;
  };
  return { value, method, config, commitment: config.commitment ?? 'finalized' };
}

test('the height that proves death is asked for as finalized', async () => {
  const { value, method, commitment } = await asking(321, () => client.finalizedHeight());
  assert.deepEqual([value, method, commitment], [321n, 'getBlockHeight', 'finalized']);
});

test('a status is searched for in the whole history, and only finalized is final', async () => {
  for (const [confirmationStatus, confirmations, final] of [
    ['processed', 0, false],
    ['confirmed', 31, false],
    ['confirmed', null, false],
    ['finalized', null, true],
    [null, 12, false],
    // As old providers say it: rooted.
    [null, null, true],
  ] as const) {
    const row = { slot: 5, confirmations, confirmationStatus, err: null, status: { Ok: null } };
    const { value, method, config } = await asking({ context: CONTEXT, value: [row] }, () =>
      client.status(SIGNATURE),
    );
    assert.deepEqual([method, config.searchTransactionHistory], ['getSignatureStatuses', true]);
    assert.equal((value as { final: boolean }).final, final, `${confirmationStatus} ${confirmations}`);
  }
});

test('whether bytes could still land is asked of the newest block, a blockhash to sign with of a confirmed one', async () => {
  const usable = await asking({ context: CONTEXT, value: true }, () => client.isUsable(ADDRESS));
  assert.deepEqual([usable.method, usable.commitment], ['isBlockhashValid', 'processed']);
  const value = { blockhash: ADDRESS, lastValidBlockHeight: 400 };
  const latest = await asking({ context: CONTEXT, value }, () => client.latestBlockhash());
  assert.deepEqual([latest.method, latest.commitment], ['getLatestBlockhash', 'confirmed']);
});

test('a transaction and accounts are asked for with the commitment that was named', async () => {
  for (const wanted of ['finalized', 'confirmed'] as const) {
    const shown = await asking(null, () => client.transaction(SIGNATURE, wanted));
    assert.deepEqual([shown.method, shown.commitment], ['getTransaction', wanted]);
    const held = await asking({ context: CONTEXT, value: [null] }, () => client.accounts([ADDRESS], wanted));
    assert.deepEqual([held.method, held.commitment], ['getMultipleAccounts', wanted]);
  }
});

test('in a history only what is finalized is final', async () => {
  const entry = (confirmationStatus: string | null) => ({
    signature: SIGNATURE,
    slot: 5,
    err: null,
    memo: null,
    blockTime: null,
    confirmationStatus,
  });
  const page = ['processed', 'confirmed', 'finalized', null].map(entry);
  const { value, commitment } = await asking(page, () =>
    client.history(ADDRESS, { until: null, before: null }),
  );
  assert.equal(commitment, 'confirmed');
  assert.deepEqual(
    (value as { final: boolean }[]).map(({ final }) => final),
    [false, false, true, false],
  );
});
