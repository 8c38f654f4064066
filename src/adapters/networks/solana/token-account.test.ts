// Which mints can be served, which accounts can own tokens, and which hold them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, address, none } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import type { ChainAccount } from './rpc.ts';
import { canOwn, PROGRAM_2022, readMint, readTokenAccount } from './token-account.ts';

const MINT = address('52GzcLDMfBveMRnWXKX7U3Pa5Lf7QLkWWvsJRDjWDBSk');
const OWNER = address('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin');
const SYSTEM = address('11111111111111111111111111111111');

function accountOf(program: Address, data: Uint8Array, executable = false): ChainAccount {
  return { program, executable, lamports: 1n, data };
}

function mintData(isInitialized = true): Uint8Array {
  const supply = 0n;
  const authorities = { mintAuthority: none<Address>(), freezeAuthority: none<Address>() };
  return new Uint8Array(getMintEncoder().encode({ ...authorities, supply, decimals: 2, isInitialized }));
}

function tokenData(state = AccountState.Initialized): Uint8Array {
  return new Uint8Array(
    getTokenEncoder().encode({
      mint: MINT,
      owner: OWNER,
      amount: 77n,
      delegate: none(),
      state,
      isNative: none(),
      delegatedAmount: 0n,
      closeAuthority: none(),
    }),
  );
}

/** Padded to where the kind is said, then extensions of four bytes each. */
function extended(data: Uint8Array, kind: number, extensions: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(166 + 8 * extensions.length);
  bytes.set(data);
  bytes[165] = kind;
  for (const [index, extension] of extensions.entries()) bytes.set([extension, 0, 4, 0], 166 + 8 * index);
  return bytes;
}

test('a mint of either program is read with its decimals', () => {
  for (const [program, data] of [
    [TOKEN_PROGRAM_ADDRESS, mintData()],
    [PROGRAM_2022, mintData()],
    [PROGRAM_2022, extended(mintData(), 1, [3, 12, 18])],
  ] as const)
    assert.deepEqual(readMint(MINT, accountOf(program, data)), { address: MINT, program, decimals: 2 });
});

test('a mint with a transfer hook, a fee, frozen accounts or no transfers is refused with the reason', () => {
  const reasons = { 14: /hook/, 1: /fee/, 6: /frozen/, 9: /transferred/ };
  for (const [extension, reason] of Object.entries(reasons)) {
    const data = extended(mintData(), 1, [3, Number(extension)]);
    assert.throws(() => readMint(MINT, accountOf(PROGRAM_2022, data)), reason);
  }
});

test('what is no mint is refused', () => {
  const wrong = [
    null,
    accountOf(SYSTEM, mintData()),
    accountOf(TOKEN_PROGRAM_ADDRESS, tokenData()),
    accountOf(PROGRAM_2022, extended(tokenData(), 2, [])),
    accountOf(TOKEN_PROGRAM_ADDRESS, mintData(false)),
  ];
  for (const account of wrong) assert.throws(() => readMint(MINT, account), /the token at 52Gz/);
});

test('a token account is read, frozen or not; anything else is none', () => {
  const token = { mint: MINT, owner: OWNER, amountMinor: 77n, frozen: false };
  assert.deepEqual(readTokenAccount(accountOf(TOKEN_PROGRAM_ADDRESS, tokenData())), token);
  assert.deepEqual(readTokenAccount(accountOf(PROGRAM_2022, extended(tokenData(), 2, [7]))), token);
  const frozen = readTokenAccount(accountOf(TOKEN_PROGRAM_ADDRESS, tokenData(AccountState.Frozen)));
  assert.equal(frozen?.frozen, true);
  const others = [
    null,
    accountOf(SYSTEM, tokenData()),
    accountOf(TOKEN_PROGRAM_ADDRESS, mintData()),
    accountOf(TOKEN_PROGRAM_ADDRESS, tokenData(AccountState.Uninitialized)),
    accountOf(PROGRAM_2022, new Uint8Array(355).fill(2)),
  ];
  for (const account of others) assert.equal(readTokenAccount(account), undefined);
});

test('threat 36: programs, mints and token accounts own no tokens; wallets and several keys do', () => {
  const multisig = new Uint8Array(355);
  for (const account of [
    null,
    accountOf(SYSTEM, new Uint8Array()),
    accountOf(TOKEN_PROGRAM_ADDRESS, multisig),
  ])
    assert.ok(canOwn(account));
  for (const account of [
    accountOf(SYSTEM, new Uint8Array(), true),
    accountOf(TOKEN_PROGRAM_ADDRESS, mintData()),
    accountOf(PROGRAM_2022, tokenData()),
  ])
    assert.ok(!canOwn(account));
});
