// The default values of a buy or a sell in test mode, so that a tester has to give only an amount. Live mode has no default
// values, because a wrong guess would move real money.
import { randomInt } from 'node:crypto';
import type { Transaction } from '../../../sdk/src/index.ts';
import { makeExampleAccountNumber } from '../../app/sandbox/example-account-number.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { findNearestWord } from '../../domain/values/nearest-word.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_NETWORK, EXAMPLE_WALLETS } from '../../ports/sandbox.ts';
import { UsageError } from '../terminal/command-error.ts';

export interface CustomerAccount {
  readonly account_number: string;
  readonly bank_name: string;
  readonly account_name: string;
}

interface AccountOptions {
  readonly account: string | undefined;
  readonly bank: string | undefined;
  readonly 'account-name': string | undefined;
}

export function customerAccountOf(mode: Mode, options: AccountOptions): CustomerAccount {
  const need = (value: string | undefined, fallback: string, option: string): string => {
    if (value !== undefined) return value;
    if (mode === 'test') return fallback;
    throw new UsageError(`--${option} is missing. It is required in live mode.`);
  };
  return {
    account_number: need(options.account, makeExampleAccountNumber(randomInt(1, 1_000_000_000)), 'account'),
    bank_name: need(options.bank, EXAMPLE_ACCOUNT.bank, 'bank'),
    account_name: need(options['account-name'], EXAMPLE_ACCOUNT.name, 'account-name'),
  };
}

interface WalletOptions {
  readonly network: string | undefined;
  readonly wallet: string | undefined;
}

/**
 * The network and the wallet of a transaction, which belong together. A buy can also get its wallet later. A sell uses a wallet
 * only for refunds.
 */
export function walletOf(
  mode: Mode,
  { network, wallet }: WalletOptions,
): { readonly network: string; readonly wallet_address: string } | undefined {
  if (network !== undefined && wallet !== undefined) return { network, wallet_address: wallet };
  if (wallet !== undefined) throw new UsageError('--network is missing: name the network of the wallet.');
  if (mode === 'live') {
    if (network === undefined) return undefined;
    throw new UsageError('--wallet is missing. In live mode --network requires it.');
  }
  const known = EXAMPLE_WALLETS[(network ?? EXAMPLE_NETWORK).toLowerCase()];
  if (known === undefined) {
    const meant = findNearestWord(network!.toLowerCase(), Object.keys(EXAMPLE_WALLETS));
    const wayOut = meant === undefined ? 'Name the wallet with --wallet.' : `Did you mean ${meant}?`;
    throw new UsageError(`The sandbox has no example wallet for the network ${network}. ${wayOut}`);
  }
  return { network: network ?? EXAMPLE_NETWORK, wallet_address: known };
}

export function expectedPaymentOf(buy: Transaction, amount: number) {
  return {
    vendor_number: buy.link_account_number ?? '',
    amount,
    payer_account_number: buy.account_number,
    payer_bank_name: buy.bank_name,
    ...(buy.account_name !== null && { payer_name: buy.account_name }),
  };
}
