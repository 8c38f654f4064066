// The calls about accounts. Each returns the account at the requested commitment, which may be older than the newest state.
import type { Address } from '@solana/kit';
import { RpcError } from '../../rpc-error.ts';
import type { LocalAccountState } from '../account-versions.ts';
import { base58 } from '../base58.ts';
import type { LocalBlock } from '../blocks.ts';
import { decimalsOf, type FindAccount, parsedData, readMint, readToken, uiAmount } from '../token-data.ts';
import {
  blockOfCall,
  type RpcCall,
  type RpcMethod,
  readAddress,
  readConfigAt,
  readInteger,
  withContext,
} from './params.ts';
import { INVALID_REQUEST, invalidParams } from './rpc-error.ts';

const RENT_EXEMPT_EPOCH = 18_446_744_073_709_551_615n;
const MAX_BASE58_BYTES = 128;
const MAX_ACCOUNTS = 100;
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const CLOCK_TIME_AT = 32;

export const accountMethods: Readonly<Record<string, RpcMethod>> = {
  getBalance(call) {
    const bank = blockOfCall(call, readConfigAt(call, 1));
    return withContext(bank, makeFindAccount(call, bank)(readAddress(call.params[0]))?.lamports ?? 0n);
  },

  getAccountInfo(call) {
    const config = readConfigAt(call, 1);
    const bank = blockOfCall(call, config);
    const find = makeFindAccount(call, bank);
    return withContext(bank, renderAccount(find(readAddress(call.params[0])), config, find));
  },

  getMultipleAccounts(call) {
    const config = { encoding: 'base64', ...readConfigAt(call, 1) };
    const bank = blockOfCall(call, config);
    const find = makeFindAccount(call, bank);
    const addresses = addressList(call.params[0]);
    return withContext(
      bank,
      addresses.map((address) => renderAccount(find(address), config, find)),
    );
  },

  getTokenAccountBalance(call) {
    const bank = blockOfCall(call, readConfigAt(call, 1));
    const find = makeFindAccount(call, bank);
    const state = find(readAddress(call.params[0]));
    if (state === null) throw invalidParams('Invalid param: could not find account');
    const token = readToken(state);
    if (token === null) throw invalidParams('Invalid param: not a Token account');
    return withContext(bank, uiAmount(token.amount, decimalsOf(token.mint, find)));
  },

  getTokenSupply(call) {
    const bank = blockOfCall(call, readConfigAt(call, 1));
    const state = makeFindAccount(call, bank)(readAddress(call.params[0]));
    if (state === null) throw invalidParams('Invalid param: could not find account');
    const mint = readMint(state);
    if (mint === null) throw invalidParams('Invalid param: not a Token mint');
    return withContext(bank, uiAmount(mint.supply, mint.decimals));
  },

  getTokenAccountsByOwner(call) {
    const owner = readAddress(call.params[0]);
    const filter = readConfigAt(call, 1);
    const config = readConfigAt(call, 2);
    const bank = blockOfCall(call, config);
    const find = makeFindAccount(call, bank);
    const mint = filter.mint === undefined ? null : readAddress(filter.mint);
    const program = mint === null ? readAddress(filter.programId) : null;
    const value = [...call.view.chain.accounts.tokenAccountsOf(owner)].flatMap((pubkey) => {
      const state = find(pubkey);
      const token = readToken(state);
      if (token === null || token.owner !== owner) return [];
      if (mint !== null ? token.mint !== mint : state?.owner !== program) return [];
      return [{ pubkey, account: renderAccount(state, config, find) }];
    });
    return withContext(bank, value);
  },

  getMinimumBalanceForRentExemption(call) {
    return call.view.chain.rentExemption(readInteger(call.params[0], 'the size'));
  },
};

export function makeFindAccount(call: RpcCall, bank: LocalBlock): FindAccount {
  return (address) => {
    const state = call.view.chain.accounts.at(address, bank.slot);
    return address === CLOCK && state !== null ? clockAccountAt(state, bank) : state;
  };
}

/** The virtual machine has only the newest time. A lagging provider shows the time of its own block. */
function clockAccountAt(state: LocalAccountState, bank: LocalBlock): LocalAccountState {
  const data = Buffer.from(state.data);
  data.writeBigUInt64LE(BigInt(bank.slot), 0);
  data.writeBigInt64LE(BigInt(bank.timeSeconds), CLOCK_TIME_AT);
  return { ...state, data: new Uint8Array(data) };
}

export function renderAccount(
  state: LocalAccountState | null,
  config: { readonly encoding?: unknown; readonly dataSlice?: unknown },
  find: FindAccount,
): object | null {
  if (state === null) return null;
  return {
    data: renderData(state, config, find),
    executable: state.executable,
    lamports: state.lamports,
    owner: state.owner,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: state.data.length,
  };
}

function addressList(value: unknown): Address[] {
  if (!Array.isArray(value)) throw invalidParams('Invalid params: expected a list of addresses');
  if (value.length > MAX_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
  return value.map(readAddress);
}

function renderData(
  state: LocalAccountState,
  { encoding, dataSlice }: { readonly encoding?: unknown; readonly dataSlice?: unknown },
  find: FindAccount,
): unknown {
  const data = sliceData(state.data, dataSlice);
  if (encoding === 'base64') return [base64(data), 'base64'];
  if (encoding === 'jsonParsed') return parsedData(state, find) ?? [base64(data), 'base64'];
  if (encoding !== undefined && encoding !== 'base58') {
    throw invalidParams(`encoding ${String(encoding)} is not supported here`);
  }
  if (data.length > MAX_BASE58_BYTES) {
    throw new RpcError(
      INVALID_REQUEST,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    );
  }
  return encoding === undefined ? base58(data) : [base58(data), 'base58'];
}

function sliceData(data: Uint8Array, slice: unknown): Uint8Array {
  if (slice === undefined || slice === null) return data;
  const { offset, length } = slice as { readonly offset: unknown; readonly length: unknown };
  const start = readInteger(offset, 'offset');
  return data.subarray(start, start + readInteger(length, 'length'));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
