// Tests the local network through the real client library: set-up by transactions, commitments, balances and fees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address, createSolanaRpc, generateKeyPairSigner, lamports } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { until } from '../../../test/support/patience.ts';
import { memoInstruction } from '../sign.ts';
import { tokenAccountOf } from '../solana-chain.ts';
import { callRaw, failureOf, openTestNetwork } from '../test-network.ts';
import { MEMO_PROGRAM } from './render-transaction.ts';
import { startSolanaServer } from './server.ts';

test('a client sends transactions that create a mint, token accounts and a payment with a memo', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, chain, token } = network;
  const mint = await generateKeyPairSigner();
  const owner = await generateKeyPairSigner();
  const account = await tokenAccountOf(mint.address, owner.address);
  const space = BigInt(getMintSize());
  const created = await network.sign([
    getCreateAccountInstruction({
      payer: token.treasury,
      newAccount: mint,
      lamports: await rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({
      mint: mint.address,
      decimals: 2,
      mintAuthority: token.treasury.address,
    }),
    getCreateAssociatedTokenIdempotentInstruction({
      payer: token.treasury,
      ata: account,
      owner: owner.address,
      mint: mint.address,
    }),
    getMintToCheckedInstruction({
      mint: mint.address,
      token: account,
      mintAuthority: token.treasury,
      amount: 12_345n,
      decimals: 2,
    }),
    memoInstruction('set up'),
  ]);
  await rpc.sendTransaction(created.wire, { encoding: 'base64' }).send();
  chain.advance(9);

  const { value: balance } = await rpc.getTokenAccountBalance(account, { commitment: 'finalized' }).send();
  assert.deepEqual(balance, { amount: '12345', decimals: 2, uiAmount: 123.45, uiAmountString: '123.45' });
  const { value: supply } = await rpc.getTokenSupply(mint.address).send();
  assert.equal(supply.amount, '12345');
  const { value: owned } = await rpc
    .getTokenAccountsByOwner(owner.address, { mint: mint.address }, { encoding: 'jsonParsed' })
    .send();
  assert.equal(owned[0]?.pubkey, account);
  assert.equal(owned[0]?.account.data.parsed.info.owner, owner.address);
  const { value: parsed } = await rpc.getAccountInfo(mint.address, { encoding: 'jsonParsed' }).send();
  assert.ok(parsed && 'parsed' in parsed.data);
  assert.deepEqual(parsed.data.parsed.info, {
    decimals: 2,
    freezeAuthority: null,
    isInitialized: true,
    mintAuthority: token.treasury.address,
    supply: '12345',
  });
});

test('a payment is processed, confirmed, then finalized, and each answer matches the requested commitment', async (t) => {
  const network = await openTestNetwork(t);
  const { rpc, chain } = network;
  const to = await network.newOwner();
  const account = await tokenAccountOf(network.token.mint, to);
  const payment = await network.pay({ to, amountMinor: 5n, memo: 'order 1' });
  assert.equal(await rpc.sendTransaction(payment.wire, { encoding: 'base64' }).send(), payment.signature);
  assert.equal(await network.statusOf(payment), null, 'sent is not landed');

  const seen: string[] = [];
  for (let slot = 0; slot < 9; slot += 1) {
    chain.advance();
    const status = await network.statusOf(payment);
    const existsAt = async (commitment: 'processed' | 'confirmed' | 'finalized') =>
      (await rpc.getAccountInfo(account, { commitment, encoding: 'base64' }).send()).value !== null;
    const [processed, confirmed, finalized] = [
      await existsAt('processed'),
      await existsAt('confirmed'),
      await existsAt('finalized'),
    ];
    assert.equal(processed, true);
    assert.equal(confirmed, slot >= 2);
    assert.equal(finalized, slot >= 8);
    seen.push(`${status?.confirmationStatus} ${status?.confirmations}`);
  }
  assert.deepEqual(seen, [
    'processed 0',
    'processed 1',
    ...[2, 3, 4, 5, 6, 7].map((behind) => `confirmed ${behind}`),
    'finalized null',
  ]);
  assert.equal(chain.tokenBalance(account), 5n);
});

test('a landed transaction shows its fee, its memo and the token balances before and after', async (t) => {
  const network = await openTestNetwork(t);
  const to = await network.newOwner();
  const account = await tokenAccountOf(network.token.mint, to);
  const payment = await network.pay({ to, amountMinor: 2_500_000n, memo: 'order 7' });
  await network.send(payment);
  network.chain.advance(9);

  const found = await network.rpc
    .getTransaction(payment.signature, {
      commitment: 'finalized',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send();
  assert.ok(found?.meta);
  const { meta, transaction } = found;
  const index = transaction.message.accountKeys.indexOf(account);
  const tokensOf = (balances: typeof meta.preTokenBalances, at: number) =>
    balances?.find(({ accountIndex }) => accountIndex === at);
  assert.equal(tokensOf(meta.preTokenBalances, index), undefined, 'the account is made by the payment');
  const after = tokensOf(meta.postTokenBalances, index);
  assert.deepEqual(
    [after?.mint, after?.owner, after?.uiTokenAmount.amount, after?.uiTokenAmount.decimals],
    [network.token.mint, to, '2500000', 6],
  );
  assert.equal(meta.err, null);
  assert.equal(meta.fee, 5_000n);
  const rent = await network.rpc.getMinimumBalanceForRentExemption(165n).send();
  assert.equal(meta.preBalances[0]! - meta.postBalances[0]!, 5_000n + rent, 'fee and rent, nothing else');
  assert.ok(meta.logMessages?.includes('Program log: order 7'));
  const slot = await network.rpc.getSlot({ commitment: 'finalized' }).send();
  assert.equal(found.slot, slot);
  assert.equal(found.version, 0);
  assert.ok(transaction.message.accountKeys.includes(MEMO_PROGRAM));
  const unversioned = { encoding: 'json', commitment: 'finalized' } as const;
  const refused = await failureOf(network.rpc.getTransaction(payment.signature, unversioned).send());
  assert.equal(refused.code, -32015);
});

test('slots advance automatically, and each airdrop is a separate transaction', async (t) => {
  const server = await startSolanaServer({ slotEveryMs: 5 });
  t.after(() => server.close());
  const rpc = createSolanaRpc(server.urls[1]);
  const { address } = await generateKeyPairSigner();
  const first = await rpc.requestAirdrop(address, lamports(700_000_000n)).send();
  const second = await rpc.requestAirdrop(address, lamports(700_000_000n)).send();
  assert.notEqual(first, second);
  const balance = async () => (await rpc.getBalance(address, { commitment: 'finalized' }).send()).value;
  await until('both are final', async () => (await balance()) >= 1_400_000_000n, { everyMs: 5 });
  const { value } = await rpc.getSignatureStatuses([first, second]).send();
  assert.deepEqual(
    value.map((status) => status?.confirmationStatus),
    ['finalized', 'finalized'],
  );
});

test('answers calls about the chain, with the default commitment "finalized"', async (t) => {
  const { rpc, chain, urls, sign } = await openTestNetwork(t);
  chain.advance(3, { skipped: true });
  chain.advance();
  const finalized = await rpc.getSlot({ commitment: 'finalized' }).send();
  assert.equal((await callRaw(urls[0], 'getSlot')).result, Number(finalized));
  assert.equal(await rpc.getSlot({ commitment: 'processed' }).send(), BigInt(chain.slot));
  assert.equal(await rpc.getBlockHeight({ commitment: 'processed' }).send(), BigInt(chain.height));
  assert.ok(chain.slot - chain.height > 3, 'a slot is not a height');
  const epoch = await rpc.getEpochInfo({ commitment: 'finalized' }).send();
  assert.equal(epoch.absoluteSlot, finalized);
  assert.ok((await rpc.getFirstAvailableBlock().send()) < finalized);
  assert.equal(await rpc.getHealth().send(), 'ok');
  assert.match((await rpc.getVersion().send())['solana-core'], /^\d/);
  assert.equal(await rpc.getGenesisHash().send(), chain.blocks.genesisHash);
  assert.equal((await rpc.getRecentPrioritizationFees().send()).length, 150);
  const { wire } = await sign([memoInstruction('fee')]);
  const message = Buffer.from(wire, 'base64').subarray(65).toString('base64');
  const { value: fee } = await rpc.getFeeForMessage(message as never).send();
  assert.equal(fee, 5_000n);
  const unknown = await callRaw(urls[0], 'getBlockProduction');
  assert.deepEqual(unknown.error, { code: -32601, message: 'Method not found' });
  assert.equal(unknown.id, 7);
  const ahead = { commitment: 'processed', minContextSlot: BigInt(chain.slot + 1) } as const;
  assert.equal((await failureOf(rpc.getBlockHeight(ahead).send())).code, -32016);
});

test('returns several accounts at once and mints tokens for tests; invalid addresses are refused', async (t) => {
  const { rpc, urls, chain, token, newOwner } = await openTestNetwork(t);
  const owner = await newOwner();
  const account = await chain.giveTokens(token.mint, owner, 42n);
  assert.equal(await chain.tokenBalanceOf(token.mint, owner), 42n);
  const { value } = await rpc
    .getMultipleAccounts([account, owner, token.mint], { encoding: 'base64' })
    .send();
  assert.deepEqual(
    value.map((state) => state?.space ?? null),
    [165n, null, 82n],
  );
  assert.equal((await rpc.getTokenSupply(token.mint).send()).value.amount, '1000000042');
  assert.equal((await callRaw(urls[0], 'getBalance', ['nonsense'])).error?.code, -32602);
  assert.equal(
    (await callRaw(urls[0], 'getAccountInfo', [account])).error?.code,
    -32600,
    'base58 is for short data',
  );
  assert.equal((await callRaw(urls[0], 'getTokenAccountBalance', [owner])).error?.code, -32602);
});

test('the clock is that of the requested block, even at a lagging provider', async (t) => {
  const { chain, rpc, faults } = await openTestNetwork(t);
  const clock = address('SysvarC1ock11111111111111111111111111111111');
  const secondsAt = async (commitment: 'confirmed' | 'finalized') => {
    const { value } = await rpc.getAccountInfo(clock, { commitment, encoding: 'base64' }).send();
    return Number(Buffer.from(value!.data[0], 'base64').readBigInt64LE(32));
  };
  const before = await secondsAt('finalized');
  chain.passTime(1_000_000);
  chain.advance(4);
  const [confirmed, finalized] = [await secondsAt('confirmed'), await secondsAt('finalized')];
  assert.ok(confirmed >= before + 1_000, 'time passed');
  assert.ok(finalized < before + 1_000, 'the final block is of before');
  chain.advance(10);
  assert.ok((await secondsAt('finalized')) >= before + 1_000);
  faults.lag(10);
  assert.ok((await secondsAt('finalized')) < before + 1_000);
});
