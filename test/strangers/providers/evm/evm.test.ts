// Each fault of the Ethereum provider must change exactly the responses that it describes, in the described way.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FaultOptions, Provider } from '../faults.ts';
import { type RpcAnswer, rpc, startRpcUpstream, type TinyUpstream } from '../tiny-upstream.ts';
import { startEvmProvider } from './evm.ts';
import { type EvmFault, FAULTS } from './evm-names.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TOKEN = `0x${'70'.repeat(20)}`;
const PAYER = `0x${'11'.repeat(20)}`;
const [TX_1, TX_2] = [`0x${'a1'.repeat(32)}`, `0x${'a2'.repeat(32)}`];

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
const block = (number: number) => ({
  number: `0x${number.toString(16)}`,
  hash: word(number),
  transactions: [],
});
const log = (number: number, transactionHash: string, value: number) => ({
  address: TOKEN,
  topics: [TRANSFER, word(1), word(2)],
  data: word(value),
  blockNumber: `0x${number.toString(16)}`,
  transactionHash,
  blockHash: word(number),
  logIndex: '0x0',
  removed: false,
});
const LOGS = [log(90, TX_1, 1000), log(99, TX_2, 2000)];
const RECEIPT = {
  transactionHash: TX_1,
  status: '0x1',
  blockNumber: '0x5a',
  logs: [LOGS[0]],
  logsBloom: '0x01',
};

const CALLS: Readonly<Record<string, readonly [string, ...unknown[]]>> = {
  chainId: ['eth_chainId'],
  network: ['net_version'],
  genesis: ['eth_getBlockByNumber', '0x0', false],
  number: ['eth_blockNumber'],
  latest: ['eth_getBlockByNumber', 'latest', false],
  finalized: ['eth_getBlockByNumber', 'finalized', false],
  receipt: ['eth_getTransactionReceipt', TX_1],
  transaction: ['eth_getTransactionByHash', TX_1],
  logs: ['eth_getLogs', { address: TOKEN, fromBlock: '0x50', toBlock: '0x64' }],
  balance: ['eth_getBalance', PAYER, 'latest'],
  tokens: ['eth_call', { to: TOKEN, data: '0x70a08231' }, 'latest'],
  nonce: ['eth_getTransactionCount', PAYER, 'latest'],
  send: ['eth_sendRawTransaction', '0x02'],
};

let head = 100;
let upstream: TinyUpstream;
let provider: Provider<EvmFault>;
const shown = new Set<EvmFault>(
  // providers.test.ts tests these faults, because they are the same for every family of networks.
  ['slow', 'cut', 'too_many', 'html', 'half_json', 'doubled_keys', 'doubled'].concat([
    'batch_refused',
    'batch_shuffled',
    'wrong_id',
  ]) as EvmFault[],
);

function resultOf(method: string, params: readonly unknown[]): unknown {
  const numbers: Readonly<Record<string, number>> = { latest: head, finalized: head - 20, '0x0': 0 };
  const results: Readonly<Record<string, unknown>> = {
    eth_chainId: '0x7a69',
    net_version: '31337',
    eth_blockNumber: `0x${head.toString(16)}`,
    eth_getBlockByNumber: block(numbers[String(params[0])] ?? Number(params[0])),
    eth_getTransactionReceipt: RECEIPT,
    eth_getTransactionByHash: { hash: TX_1, blockNumber: '0x5a' },
    eth_getLogs: LOGS,
    eth_getBalance: `0x${(head * 7).toString(16)}`,
    eth_call: word(head),
    eth_getTransactionCount: '0x9',
    eth_sendRawTransaction: TX_2,
  };
  return results[method] ?? null;
}

async function askAll(): Promise<Readonly<Record<string, RpcAnswer>>> {
  const answers: Record<string, RpcAnswer> = {};
  for (const [name, [method, ...params]] of Object.entries(CALLS)) {
    answers[name] = await rpc(provider.url, method, params);
  }
  return answers;
}

/** Returns the responses of all calls that a fault changes, and checks that all other responses are true. */
async function changedBy(
  fault: EvmFault,
  options: FaultOptions = {},
): Promise<Readonly<Record<string, RpcAnswer>>> {
  shown.add(fault);
  const truth = Object.entries(CALLS).map(([name, [method, ...params]]) => [name, resultOf(method, params)]);
  const had = provider.seen()[fault];
  provider.use(fault, options);
  const answers = await askAll();
  const changed = truth.filter(([name, result]) => {
    const answer = answers[String(name)];
    return JSON.stringify(answer) !== JSON.stringify({ jsonrpc: '2.0', result, id: 7 });
  });
  assert.equal(provider.seen()[fault] - had, changed.length);
  return Object.fromEntries(changed.map(([name]) => [name, answers[String(name)] as RpcAnswer]));
}

function results(changed: Readonly<Record<string, RpcAnswer>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(changed).map(([name, answer]) => [name, answer.result]));
}

before(async () => {
  upstream = await startRpcUpstream(({ method, params }) => JSON.stringify(resultOf(method, params)));
});

beforeEach(async () => {
  head = 100;
  await provider?.close();
  provider = await startEvmProvider({ upstream: upstream.url, seed: 3 });
  upstream.asked.length = 0;
});

after(async () => {
  await provider.close();
  await upstream.close();
  assert.deepEqual(
    FAULTS.filter((fault) => !shown.has(fault)),
    [],
    'faults without a test',
  );
});

describe('the Ethereum provider', () => {
  it('reports another chain', async () => {
    const changed = results(await changedBy('another_chain'));
    const hash = '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3';
    assert.deepEqual(changed, { chainId: '0x1', network: '1', genesis: { ...block(0), hash } });
  });

  it('denies that receipts and transactions exist', async () => {
    const failed = { ...RECEIPT, status: '0x0', logs: [], logsBloom: `0x${'0'.repeat(512)}` };
    assert.deepEqual(results(await changedBy('says_reverted')), { receipt: failed });
    provider.clear();
    assert.deepEqual(results(await changedBy('receipt_missing', { about: TX_1 })), { receipt: null });
    provider.clear();
    assert.deepEqual(results(await changedBy('receipt_missing', { about: TX_2 })), {});
    provider.clear();
    assert.deepEqual(results(await changedBy('transaction_unknown')), { receipt: null, transaction: null });
  });

  it('omits logs', async () => {
    assert.deepEqual(results(await changedBy('logs_hole', { about: TX_2 })), { logs: [LOGS[0]] });
    provider.use('logs_hole', { at: 90 });
    assert.deepEqual((await rpc(provider.url, ...split('logs'))).result, [LOGS[1]]);
    provider.use('logs_hole');
    const once = (await rpc(provider.url, ...split('logs'))).result;
    assert.equal((once as unknown[]).length, 1);
    assert.deepEqual((await rpc(provider.url, ...split('logs'))).result, once);
    provider.clear();
    assert.deepEqual(results(await changedBy('logs_lag', { by: 5 })), { logs: [LOGS[0]] });
  });

  it('refuses large ranges without a request to the upstream', async () => {
    const changed = await changedBy('too_large_range', { by: 20 });
    assert.deepEqual(Object.keys(changed), ['logs']);
    assert.equal(changed.logs?.error?.code, -32005);
    assert.ok(upstream.asked.every(({ body }) => !body.includes('eth_getLogs')));
    provider.clear();
    assert.deepEqual(await changedBy('too_large_range', { by: 21 }), {});
  });

  it('returns outdated balances, nonces and block numbers', async () => {
    await askAll();
    head = 110;
    assert.deepEqual(results(await changedBy('balances_lag')), { balance: '0x2bc', tokens: word(100) });
    head = 120;
    assert.deepEqual(results(await changedBy('balances_lag')), { balance: '0x302', tokens: word(110) });
    provider.clear();
    assert.deepEqual(results(await changedBy('nonce_lag', { by: 2 })), { nonce: '0x7' });
    provider.clear();
    const back = results(await changedBy('head_goes_back', { by: 10 }));
    assert.deepEqual(back, { number: '0x6e', latest: block(110), finalized: block(90) });
  });

  it('if configured, returns zero for balances that were not requested before', async () => {
    const changed = results(await changedBy('balances_lag', { empty: true }));
    assert.deepEqual(changed, { balance: '0x0', tokens: word(0) });
  });

  it('reports the newest block as finalized', async () => {
    assert.deepEqual(results(await changedBy('finalized_ahead')), { finalized: block(100) });
  });

  it('returns false results for submitted transactions', async () => {
    const sent = () => upstream.asked.filter(({ body }) => body.includes('eth_sendRaw')).length;
    const refused = await changedBy('accepted_but_error', { message: 'nonce too low' });
    assert.deepEqual(refused.send?.error, { code: -32000, message: 'nonce too low' });
    assert.deepEqual([Object.keys(refused), sent()], [['send'], 1]);
    provider.clear();
    const known = await changedBy('error_but_not_sent');
    assert.deepEqual(known.send?.error, { code: -32000, message: 'already known' });
    provider.clear();
    // The Keccak-256 hash of the one byte 0x02.
    const hash = '0xf2ee15ea639b73fa3db9b34a245bdfa015c260c598b211bf05a1ecc4b3e3b4f2';
    assert.deepEqual(results(await changedBy('dropped')), { send: hash });
    assert.equal(sent(), 1);
  });

  it('adds logs and reports larger amounts than the real ones', async () => {
    const about = TX_1;
    const [real, other] = LOGS;
    assert.deepEqual(results(await changedBy('extra_transfer', { about })), { logs: [real, real, other] });
    provider.clear();
    const foreign = { ...real, address: PAYER, logIndex: '0x1000' };
    const strange = results(await changedBy('other_address_log', { about, value: PAYER }));
    assert.deepEqual(strange, { logs: [real, foreign, other] });
    provider.clear();
    const gone = (await changedBy('removed_log', { about })).logs?.result as typeof LOGS;
    assert.deepEqual(
      gone.map(({ removed }) => removed),
      [false, true, false],
    );
    assert.notEqual(gone[1]?.transactionHash, TX_1);
    provider.clear();
    const marked = results(await changedBy('removed_log', { about, extra: false }));
    assert.deepEqual(marked, { logs: [{ ...real, removed: true }, other] });
    provider.clear();
    const more = { ...real, data: word(1005) };
    const moved = results(await changedBy('value_differs', { about, by: 5 }));
    assert.deepEqual(moved, { receipt: { ...RECEIPT, logs: [more] }, logs: [more, other] });
  });
});

function split(name: string): [string, readonly unknown[]] {
  const [method = '', ...params] = CALLS[name] ?? [''];
  return [method, params];
}
