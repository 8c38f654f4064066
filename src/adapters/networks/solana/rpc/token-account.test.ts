// Tests which mints can be used, which accounts can own tokens, and which accounts hold tokens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, address, none, some } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import type { ChainAccount } from './client.ts';
import { canOwnTokens, PROGRAM_2022, readMint, readTokenAccount } from './token-account.ts';

const MINT = address('52GzcLDMfBveMRnWXKX7U3Pa5Lf7QLkWWvsJRDjWDBSk');
const OWNER = address('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin');
const SYSTEM = address('11111111111111111111111111111111');

function accountOf(program: Address, data: Uint8Array, executable = false): ChainAccount {
  return { program, executable, lamports: 1n, data };
}

function mintData(isInitialized = true, freezer: Address | null = null): Uint8Array {
  const supply = 0n;
  const freezeAuthority = freezer === null ? none<Address>() : some(freezer);
  const authorities = { mintAuthority: none<Address>(), freezeAuthority };
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

type Extension = readonly [kind: number, data?: Uint8Array];

function extended(data: Uint8Array, kind: number, extensions: readonly Extension[]): Uint8Array {
  const parts = extensions.map(([number, content = new Uint8Array(4)]) =>
    Buffer.concat([Buffer.from([number, 0, content.length, 0]), content]),
  );
  const head = Buffer.alloc(166);
  head.set(data);
  head[165] = kind;
  return new Uint8Array(Buffer.concat([head, ...parts]));
}

function bytes(length: number, set: Readonly<Record<number, number>> = {}): Uint8Array {
  const made = new Uint8Array(length);
  for (const [at, value] of Object.entries(set)) made[Number(at)] = value;
  return made;
}

const newer = (...extensions: readonly Extension[]) =>
  accountOf(PROGRAM_2022, extended(mintData(), 1, extensions));

test('the mint and its decimals are read for both token programs', () => {
  for (const [program, data] of [
    [TOKEN_PROGRAM_ADDRESS, mintData()],
    [PROGRAM_2022, mintData()],
    [PROGRAM_2022, extended(mintData(), 1, [[3], [12, bytes(32)], [18], [14, bytes(64)]])],
  ] as const)
    assert.deepEqual(readMint(MINT, accountOf(program, data)), {
      address: MINT,
      program,
      decimals: 2,
      warnings: [],
    });
});

test('a mint with a transfer hook, a fee, frozen new accounts or blocked transfers is refused, even if the settings accept it', () => {
  const refused: readonly (readonly [Extension, RegExp])[] = [
    [[1, bytes(108, { 88: 1 })], /keeps a fee back/],
    [[1, bytes(108, { 107: 1 })], /keeps a fee back/],
    [[1, bytes(4)], /keeps a fee back/],
    [[6, bytes(1, { 0: 2 })], /opens accounts frozen/],
    [[9, bytes(0)], /cannot be transferred/],
    [[14, bytes(64, { 40: 1 })], /runs a transfer hook/],
  ];
  const all = new Set(['transfer_fee', 'transfer_hook']);
  for (const [extension, reason] of refused)
    assert.throws(() => readMint(MINT, newer([3], extension), all), reason);
});

test('threat 49: a mint whose issuer could take tokens or change amounts is refused unless the settings accept that power by name', () => {
  const grave: readonly (readonly [Extension, string])[] = [
    [[12, bytes(32, { 3: 1 })], 'permanent_delegate'],
    [[1, bytes(108, { 0: 1 })], 'transfer_fee'],
    [[14, bytes(64, { 5: 1 })], 'transfer_hook'],
    [[10, bytes(52)], 'shown_amount'],
    [[25, bytes(56)], 'shown_amount'],
    [[99, bytes(8)], 'extension_99'],
  ];
  for (const [extension, name] of grave) {
    const mint = newer([18], extension);
    assert.throws(() => readMint(MINT, mint), new RegExp(`put "${name}" into "accept_powers"`));
    assert.throws(() => readMint(MINT, mint, new Set(['another'])));
    assert.match(readMint(MINT, mint, new Set([name])).warnings.join(), new RegExp(name));
  }
});

test('an issuer power that could stop transfers causes a warning, not a refusal', () => {
  const risks: readonly (readonly [ChainAccount, RegExp])[] = [
    [newer([26, bytes(33, { 2: 1 })]), /may be paused/],
    [newer([26, bytes(33, { 2: 1, 32: 1 })]), /is paused/],
    [newer([6, bytes(1, { 0: 1 })]), /may later open new accounts as frozen/],
    [newer([4, bytes(65)]), /confidentially/],
    [accountOf(TOKEN_PROGRAM_ADDRESS, mintData(true, OWNER)), /can be frozen by its issuer/],
    [accountOf(PROGRAM_2022, mintData(true, OWNER)), /can be frozen by its issuer/],
  ];
  for (const [mint, warning] of risks) assert.match(readMint(MINT, mint).warnings.join(), warning);
  assert.deepEqual(readMint(MINT, newer([26, bytes(33)])).warnings, []);
});

test('an account that is not a mint is refused', () => {
  const wrong = [
    null,
    accountOf(SYSTEM, mintData()),
    accountOf(TOKEN_PROGRAM_ADDRESS, tokenData()),
    accountOf(PROGRAM_2022, extended(tokenData(), 2, [])),
    accountOf(TOKEN_PROGRAM_ADDRESS, mintData(false)),
  ];
  for (const account of wrong) assert.throws(() => readMint(MINT, account), /the token at 52Gz/);
});

test('frozen and unfrozen token accounts are read; any other account is undefined', () => {
  const token = { mint: MINT, owner: OWNER, amountMinor: 77n, frozen: false };
  assert.deepEqual(readTokenAccount(accountOf(TOKEN_PROGRAM_ADDRESS, tokenData())), token);
  assert.deepEqual(readTokenAccount(accountOf(PROGRAM_2022, extended(tokenData(), 2, [[7]]))), token);
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

test('threat 36: programs, mints and token accounts cannot own tokens; wallets and multi-signature accounts can', () => {
  const multisig = new Uint8Array(355);
  for (const account of [
    null,
    accountOf(SYSTEM, new Uint8Array()),
    accountOf(TOKEN_PROGRAM_ADDRESS, multisig),
  ])
    assert.ok(canOwnTokens(account));
  for (const account of [
    accountOf(SYSTEM, new Uint8Array(), true),
    accountOf(TOKEN_PROGRAM_ADDRESS, mintData()),
    accountOf(PROGRAM_2022, tokenData()),
  ])
    assert.ok(!canOwnTokens(account));
});
