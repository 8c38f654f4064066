// Reads accounts from a server: how much the account can send, and how much of the token it can still receive.
import {
  amountOf,
  fieldsOf,
  type HorizonFields,
  isFields,
  listOf,
  numberOf,
  UnreadableAnswer,
  wholeOf,
} from './fields.ts';
import { type Horizon, HorizonError, type StateAnswer } from './horizon.ts';
import type { StellarLedgerState } from './ledgers.ts';

export interface StellarToken {
  readonly code: string;
  readonly issuer: string;
}

export interface Trustline {
  readonly balanceMinor: bigint;
  /** The amount that can be sent: the balance minus the amount offered for sale. */
  readonly freeMinor: bigint;
  /** The amount that can still be received, minus the amount that open bids may buy. */
  readonly roomMinor: bigint;
  readonly authorised: boolean;
  readonly clawback: boolean;
}

export interface AccountState {
  /** The ledger that this response contains. Null means that it contains none, and then the response proves nothing. */
  readonly ledger: number | null;
  readonly sequence: bigint;
  readonly nativeTotalMinor: bigint;
  /** The native balance minus the amount offered for sale. The reserve is not deducted. */
  readonly nativeMinor: bigint;
  /** The number of locked base reserves. */
  readonly reserves: bigint;
  readonly trustline: Trustline | undefined;
  readonly memoRequired: boolean;
  /** The weight of the account's own key, and the weight that a payment needs. */
  readonly weight: number;
  readonly paymentThreshold: number;
}

/** SEP-29: a payment to this account without a memo must be refused. */
export const MEMO_REQUIRED = 'config.memo_required';
const MEMO_REQUIRED_VALUE = Buffer.from('1').toString('base64');
const OWN_RESERVES = 2n;
/**
 * The message about a server, or a proxy in front of it, whose responses contain no ledger number. Such responses cannot be
 * part of a proof.
 */
export const NAMES_NO_LEDGER =
  'the server does not name the ledger of its answer: the header Latest-Ledger is missing';

export async function loadAccount(
  horizon: Horizon,
  id: string,
  token: StellarToken,
): Promise<AccountState | undefined> {
  const found = await horizon.state(`/accounts/${id}`);
  return found === undefined ? undefined : readAccount(found, id, token);
}

function readAccount({ body: from, ledger }: StateAnswer, id: string, token: StellarToken): AccountState {
  if (from.id !== id) throw new UnreadableAnswer('the server answered with another account');
  const balances = listOf(from.balances, 'balances').map((each) => fieldsOf(each, 'a balance'));
  const native = balances.find(({ asset_type }) => asset_type === 'native');
  if (native === undefined) throw new UnreadableAnswer('the account shows no native coin');
  const line = balances.find((each) => isToken(each, token));
  const signers = listOf(from.signers, 'signers').filter(isFields);
  const own = signers.find(({ key }) => key === id);
  return {
    ledger,
    sequence: wholeOf(from, 'sequence'),
    nativeTotalMinor: amountOf(native, 'balance'),
    nativeMinor: amountOf(native, 'balance') - readLiabilities(native, 'selling_liabilities'),
    reserves:
      OWN_RESERVES +
      wholeOf(from, 'subentry_count') +
      optionalCount(from, 'num_sponsoring') -
      optionalCount(from, 'num_sponsored'),
    trustline: line === undefined ? undefined : readTrustline(line),
    memoRequired: isFields(from.data) && from.data[MEMO_REQUIRED] === MEMO_REQUIRED_VALUE,
    weight: own === undefined ? 0 : numberOf(own, 'weight'),
    paymentThreshold: numberOf(fieldsOf(from.thresholds, 'thresholds'), 'med_threshold'),
  };
}

/**
 * The ledger in which an account's sequence number was read. The transaction with the next number lands in a later ledger. If a
 * server does not return the ledger, nothing can be proven about a transaction that is signed after its response.
 */
export function ledgerOfAccount({ ledger }: AccountState): number {
  if (ledger === null) throw new HorizonError(NAMES_NO_LEDGER);
  return ledger;
}

export function isToken({ asset_code, asset_issuer }: HorizonFields, token: StellarToken): boolean {
  return asset_code === token.code && asset_issuer === token.issuer;
}

function readTrustline(line: HorizonFields): Trustline {
  const balanceMinor = amountOf(line, 'balance');
  const limitMinor = amountOf(line, 'limit');
  return {
    balanceMinor,
    freeMinor: balanceMinor - readLiabilities(line, 'selling_liabilities'),
    roomMinor: limitMinor - balanceMinor - readLiabilities(line, 'buying_liabilities'),
    authorised: line.is_authorized === true,
    clawback: line.is_clawback_enabled === true,
  };
}

function readLiabilities(balance: HorizonFields, name: string): bigint {
  return balance[name] === undefined ? 0n : amountOf(balance, name);
}

function optionalCount(from: HorizonFields, name: string): bigint {
  return from[name] === undefined ? 0n : wholeOf(from, name);
}

export function spendableNative(account: AccountState, { baseReserveMinor }: StellarLedgerState): bigint {
  return account.nativeMinor - account.reserves * baseReserveMinor;
}
