// Reads the credits to our account from an operation record. A token is identified by its issuer and code together, never by the
// code alone. Native coin is usually a top-up for fees. It counts as sent by mistake only if its memo or address identifies an
// order.
import { isToken, type StellarToken } from '../horizon/account.ts';
import {
  amountOf,
  fieldsOf,
  type HorizonFields,
  isFields,
  listOf,
  optionalText,
  textOf,
  UnreadableAnswer,
} from '../horizon/fields.ts';
import { accountOfAddress, parseMemoId, readMemo } from '../horizon/recipient.ts';
import { StrKey } from '../horizon/strkey.ts';

export interface TokenCredit {
  readonly txHash: string;
  /** The index of the operation in the transaction. The higher bits are the index of the transfer in a contract call. */
  readonly txIndex: number;
  readonly memo: string | null;
  readonly sender: string | null;
  readonly ourToken: boolean;
  readonly amountMinor: bigint;
  readonly chainAtMs: number | null;
}

export interface Receiver {
  readonly account: string;
  readonly token: StellarToken;
}

/**
 * Operations of these kinds never move a token out of an account, no matter which account is their source. A claim only credits
 * tokens.
 */
export const TOKENLESS_OPERATIONS: ReadonlySet<string> = new Set([
  'create_account',
  'set_options',
  'change_trust',
  'allow_trust',
  'set_trust_line_flags',
  'inflation',
  'manage_data',
  'bump_sequence',
  'claim_claimable_balance',
  'clawback_claimable_balance',
  'begin_sponsoring_future_reserves',
  'end_sponsoring_future_reserves',
  'revoke_sponsorship',
  'extend_footprint_ttl',
  'restore_footprint',
]);

/**
 * Operations of these kinds are never deposits. Other accounts cannot pay us with them, and operations of the treasury itself
 * do not count.
 */
const NO_PAYMENTS: ReadonlySet<string> = new Set([
  ...TOKENLESS_OPERATIONS,
  'create_claimable_balance',
  'clawback',
  'manage_offer',
  'manage_sell_offer',
  'manage_buy_offer',
  'create_passive_offer',
  'create_passive_sell_offer',
  'liquidity_pool_deposit',
  'liquidity_pool_withdraw',
]);

/** The last twelve bits of an operation's id are its number in the transaction, starting at one. */
const OPERATION_BITS = 12n;
export const TRANSFER_INDEX_STEP = 2 ** Number(OPERATION_BITS);

/** Throws `UnreadableAnswer` for a record with a wrong format. `transaction` is the transaction of the record. */
export function readTokenCredits(
  record: HorizonFields,
  transaction: HorizonFields,
  receiver: Receiver,
): readonly TokenCredit[] {
  if (record.transaction_successful === false) return [];
  const memo = readMemo(transaction);
  const incoming = transfersOf(record, receiver.account, memo);
  if (incoming.length === 0) return [];
  const txHash = hashOf(record);
  const operation = operationIndexOf(record);
  const closedAtMs = Date.parse(`${record.created_at}`);
  return incoming.flatMap(({ transfer, index }) => {
    const credit: TokenCredit = {
      txHash,
      txIndex: operation + index * TRANSFER_INDEX_STEP,
      memo: muxedIdOf(transfer) ?? memo,
      sender: optionalText(transfer, 'from_muxed') ?? optionalText(transfer, 'from'),
      ourToken: isToken(transfer, receiver.token),
      amountMinor: amountOf(transfer, 'amount'),
      chainAtMs: Number.isNaN(closedAtMs) ? null : closedAtMs,
    };
    return transfer.asset_type === 'native' && credit.memo === null ? [] : [credit];
  });
}

/** The transfers from other accounts to us. Payments from us to ourselves do not count. */
function transfersOf(record: HorizonFields, account: string, memo: string | null) {
  const toUs = ({ to, from }: HorizonFields) => isAccount(to, account) && !isAccount(from, account);
  const type = textOf(record, 'type');
  switch (type) {
    case 'payment':
    case 'path_payment':
    case 'path_payment_strict_receive':
    case 'path_payment_strict_send':
      textOf(record, 'to');
      return toUs(record) ? [{ transfer: record, index: 0 }] : [];
    case 'invoke_host_function':
      // Contract wallets pay through the token's contract.
      return listOf(record.asset_balance_changes ?? [], 'asset_balance_changes')
        .map((change, index) => ({ transfer: fieldsOf(change, 'a balance change'), index }))
        .filter(({ transfer }) => toUs(transfer));
    case 'account_merge':
      if (memo !== null && isAccount(record.into, account))
        throw new UnreadableAnswer('an account was merged into ours, with a memo');
      return [];
    default:
      if (NO_PAYMENTS.has(type)) return [];
      throw new UnreadableAnswer('a kind of payment that is not known here');
  }
}

export function isAccount(address: unknown, account: string): boolean {
  if (typeof address !== 'string') return false;
  return (
    address === account || (StrKey.isValidMed25519PublicKey(address) && accountOfAddress(address) === account)
  );
}

/** The id of the muxed address has priority over the memo, because the id belongs to this payment only. */
function muxedIdOf(transfer: HorizonFields): string | null {
  const id = transfer.to_muxed_id ?? transfer.destination_muxed_id;
  if (id === undefined || id === null) return null;
  return parseMemoId(`${id}`) ?? textOf({ id }, 'id');
}

export function hashOf(record: HorizonFields): string {
  const hash = textOf(record, 'transaction_hash');
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new UnreadableAnswer('transaction_hash is not a hash');
  return hash;
}

export function operationIndexOf(record: HorizonFields): number {
  const id = textOf(record, 'id');
  const counted = /^\d{1,19}$/.test(id) ? Number(BigInt.asUintN(Number(OPERATION_BITS), BigInt(id))) : 0;
  if (counted === 0) throw new UnreadableAnswer('id is not the id of an operation');
  return counted - 1;
}

/** The paging token after which the next page starts. Null means that the record has none. */
export function cursorOf(record: unknown): string | null {
  if (!isFields(record)) return null;
  const { paging_token } = record;
  return typeof paging_token === 'string' && /^\d{1,19}$/.test(paging_token) ? paging_token : null;
}
