// Each fault of the Solana provider must change exactly the responses that it describes, in the described way.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FaultOptions, Provider } from '../faults.ts';
import { type RpcAnswer, rpc, startRpcUpstream, type TinyUpstream } from '../tiny-upstream.ts';
import { startSolanaProvider } from './solana.ts';
import { toBase58 } from './solana-faults.ts';
import { FAULTS, type SolanaFault } from './solana-names.ts';

const ADDRESS = '4oTMm362DRcoszgY3zzyL73iYmY9X3uAJ1LTGNyDWhma';
const ERR = { InstructionError: [0, { Custom: 1 }] };
const entry = (signature: string, slot: number) => ({
  signature,
  slot,
  err: null,
  confirmationStatus: 'confirmed',
});
const ENTRIES = [entry('sigC', 990), entry('sigB', 980), entry('sigA', 900)];
const STATUS = {
  slot: 990,
  confirmations: 3,
  err: null,
  status: { Ok: null },
  confirmationStatus: 'confirmed',
};
const balance = (amount: string) => ({
  accountIndex: 1,
  owner: ADDRESS,
  uiTokenAmount: {
    amount,
    decimals: 2,
    uiAmount: Number(amount) / 100,
    uiAmountString: String(Number(amount) / 100),
  },
});
const META = { err: null, preTokenBalances: [balance('500')], postTokenBalances: [balance('700')] };
const TRANSACTION = { slot: 990, meta: META, transaction: { signatures: ['sigC'] } };
const RAW = Buffer.concat([Buffer.from([1]), Buffer.alloc(64, 9), Buffer.from([0])]);
const SIGNATURE = toBase58(Buffer.alloc(64, 9));

const CALLS: Readonly<Record<string, readonly [string, ...unknown[]]>> = {
  genesis: ['getGenesisHash'],
  recent: ['getSignatureStatuses', ['sigC', 'sigB']],
  searched: ['getSignatureStatuses', ['sigC', 'sigB'], { searchTransactionHistory: true }],
  transaction: ['getTransaction', 'sigC', { maxSupportedTransactionVersion: 0 }],
  signatures: ['getSignaturesForAddress', ADDRESS, { limit: 10 }],
  account: ['getAccountInfo', ADDRESS],
  tokens: ['getTokenAccountBalance', ADDRESS],
  slot: ['getSlot'],
  height: ['getBlockHeight', { minContextSlot: 995 }],
  blockhash: ['getLatestBlockhash'],
  valid: ['isBlockhashValid', 'hash1000'],
  send: ['sendTransaction', RAW.toString('base64'), { encoding: 'base64' }],
  health: ['getHealth'],
};

let slot = 1000;
let upstream: TinyUpstream;
let provider: Provider<SolanaFault>;
const shown = new Set<SolanaFault>([
  // providers.test.ts tests these faults, because they are the same for every family of networks.
  ...(['slow', 'cut', 'too_many', 'html', 'half_json', 'doubled_keys', 'doubled'] as const),
  ...(['batch_refused', 'batch_shuffled', 'wrong_id'] as const),
]);

function resultOf(method: string): unknown {
  const context = { slot };
  const results: Readonly<Record<string, unknown>> = {
    getGenesisHash: 'localnet',
    getSignatureStatuses: { context, value: [STATUS, null] },
    getTransaction: TRANSACTION,
    getSignaturesForAddress: ENTRIES,
    getAccountInfo: { context, value: { lamports: slot } },
    getTokenAccountBalance: { context, value: { amount: String(slot), decimals: 2 } },
    getSlot: slot,
    getBlockHeight: slot - 10,
    getLatestBlockhash: { context, value: { blockhash: `hash${slot}`, lastValidBlockHeight: slot + 140 } },
    isBlockhashValid: { context, value: true },
    sendTransaction: SIGNATURE,
    getHealth: 'ok',
  };
  return results[method] ?? null;
}

/** Returns the responses of all calls that a fault changes, and checks that all other responses are true. */
async function changedBy(
  fault: SolanaFault,
  options: FaultOptions = {},
): Promise<Readonly<Record<string, RpcAnswer>>> {
  shown.add(fault);
  provider.clear();
  provider.use(fault, options);
  const had = provider.seen()[fault];
  const changed: Record<string, RpcAnswer> = {};
  for (const [name, [method, ...params]] of Object.entries(CALLS)) {
    const answer = await rpc(provider.url, method, params);
    const truth = { jsonrpc: '2.0', result: resultOf(method), id: 7 };
    if (JSON.stringify(answer) !== JSON.stringify(truth)) changed[name] = answer;
  }
  assert.equal(provider.seen()[fault] - had, Object.keys(changed).length);
  return changed;
}

async function resultsBy(
  fault: SolanaFault,
  options: FaultOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const changed = await changedBy(fault, options);
  return Object.fromEntries(Object.entries(changed).map(([name, answer]) => [name, answer.result]));
}

before(async () => {
  upstream = await startRpcUpstream(({ method }) => JSON.stringify(resultOf(method)));
});

beforeEach(async () => {
  slot = 1000;
  await provider?.close();
  provider = await startSolanaProvider({ upstream: upstream.url, seed: 4 });
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

describe('the Solana provider', () => {
  it('reports another chain', async () => {
    const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
    assert.deepEqual(await resultsBy('another_chain'), { genesis });
  });

  it('denies that statuses and transactions exist', async () => {
    const none = { context: { slot: 1000 }, value: [null, null] };
    assert.deepEqual(await resultsBy('status_missing', { about: 'sigC' }), { recent: none, searched: none });
    assert.deepEqual(await resultsBy('status_missing', { about: 'sigB' }), {});
    assert.deepEqual(await resultsBy('status_missing_recent'), { recent: none });
    assert.deepEqual(await resultsBy('transaction_missing', { about: 'sigC' }), { transaction: null });
  });

  it('reports success as failure, and transactions that are not final as final', async () => {
    const context = { slot: 1000 };
    const failed = { context, value: [{ ...STATUS, err: ERR, status: { Err: ERR } }, null] };
    assert.deepEqual(await resultsBy('says_failed'), { recent: failed, searched: failed });
    const [first, ...others] = ENTRIES;
    assert.deepEqual(await resultsBy('history_says_failed', { about: 'sigC' }), {
      transaction: { ...TRANSACTION, meta: { ...META, err: ERR, status: { Err: ERR } } },
      signatures: [{ ...first, err: ERR }, ...others],
    });
    const early = {
      context,
      value: [{ ...STATUS, confirmations: null, confirmationStatus: 'finalized' }, null],
    };
    assert.deepEqual(await resultsBy('finalized_early', { about: 'sigC' }), {
      recent: early,
      searched: early,
      signatures: [{ ...first, confirmationStatus: 'finalized' }, ...others],
    });
  });

  it('omits, repeats and reorders signatures', async () => {
    const [c, b, a] = ENTRIES;
    assert.deepEqual(await resultsBy('signatures_hole', { about: 'sigB' }), { signatures: [c, a] });
    assert.equal(
      ((await resultsBy('signatures_hole', { about: ADDRESS })).signatures as unknown[]).length,
      2,
    );
    assert.deepEqual(await resultsBy('signatures_lag', { by: 20 }), { signatures: [b, a] });
    assert.deepEqual(await resultsBy('signatures_lag', { at: 950 }), { signatures: [a] });
    assert.deepEqual(await resultsBy('signatures_twice', { about: 'sigB' }), { signatures: [c, b, b, a] });
    const mixed = (await resultsBy('signatures_unordered')).signatures as typeof ENTRIES;
    assert.notDeepEqual(mixed, ENTRIES);
    assert.deepEqual(
      mixed.toSorted((one, other) => other.slot - one.slot),
      ENTRIES,
    );
  });

  it('returns data that is behind or ahead', async () => {
    const before = { account: resultOf('getAccountInfo'), tokens: resultOf('getTokenAccountBalance') };
    assert.deepEqual(await changedBy('account_lag'), {});
    slot = 1100;
    assert.deepEqual(await resultsBy('account_lag'), before);
    assert.deepEqual(await resultsBy('slot_goes_back', { by: 30 }), { slot: 1070, height: 1060 });
    assert.deepEqual(await resultsBy('slot_ahead', { by: 30 }), { slot: 1130, height: 1120 });
  });

  it('if configured, reports an account as missing when it was not requested before', async () => {
    const changed = await changedBy('account_lag', { empty: true });
    assert.deepEqual(Object.keys(changed), ['account', 'tokens']);
    assert.deepEqual(changed.account?.result, { context: { slot: 1 }, value: null });
    assert.equal(changed.tokens?.error?.code, -32602);
  });

  it('returns wrong blockhashes', async () => {
    const old = resultOf('getLatestBlockhash');
    assert.deepEqual(await changedBy('blockhash_old'), {});
    slot = 1200;
    assert.deepEqual(await resultsBy('blockhash_old'), { blockhash: old });
    assert.deepEqual(await resultsBy('blockhash_of_another_chain', { value: 'foreign' }), {
      blockhash: { context: { slot }, value: { blockhash: 'foreign', lastValidBlockHeight: 1340 } },
    });
    const made = (await resultsBy('blockhash_of_another_chain')).blockhash as {
      value: { blockhash: string };
    };
    assert.match(made.value.blockhash, /^[1-9A-HJ-NP-Za-km-z]{40,44}$/);
    const invalid = { context: { slot }, value: false };
    assert.deepEqual(await resultsBy('blockhash_said_invalid'), { valid: invalid });
  });

  it('returns false results for submitted transactions', async () => {
    const sent = () => upstream.asked.filter(({ body }) => body.includes('sendTransaction')).length;
    assert.equal((await changedBy('accepted_but_preflight_error')).send?.error?.code, -32002);
    const behind = await changedBy('accepted_but_node_behind', { about: SIGNATURE, by: 42 });
    assert.deepEqual(behind.send?.error?.data, { numSlotsBehind: 42 });
    assert.equal(sent(), 2);
    provider.clear();
    provider.use('dropped');
    shown.add('dropped');
    const [method, ...params] = CALLS.send ?? [''];
    assert.equal((await rpc(provider.url, method, params)).result, SIGNATURE);
    assert.equal((await rpc(provider.url, method, [toBase58(RAW)])).result, SIGNATURE);
    assert.equal(sent(), 2);
  });

  it('returns inconsistent slots', async () => {
    const changed = await resultsBy('context_slot_differs', { by: 5 });
    assert.deepEqual(Object.keys(changed), ['recent', 'searched', 'account', 'tokens', 'blockhash', 'valid']);
    assert.deepEqual(changed.account, { context: { slot: 1005 }, value: { lamports: 1000 } });
    const refused = await changedBy('min_context_slot');
    assert.deepEqual(Object.keys(refused), ['height']);
    assert.deepEqual(
      [refused.height?.error?.code, refused.height?.error?.data],
      [-32016, { contextSlot: 994 }],
    );
  });

  it('reports more incoming tokens than the real amount', async () => {
    const meta = { ...META, postTokenBalances: [balance('710')] };
    assert.deepEqual(await resultsBy('token_balance_differs', { about: ADDRESS, by: 10 }), {
      transaction: { ...TRANSACTION, meta },
    });
  });
});
