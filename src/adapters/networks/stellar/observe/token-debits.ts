// Reads the debits of our account from an operation record. An operation that may move our token in an unknown way is unreadable,
// and sends are paused. The kinds that cannot move tokens are listed explicitly, so any new kind counts as unreadable.
import type { Outflow } from '../../../../ports/networks/network-watch.ts';
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
import { innerHashOf } from '../horizon/landed-payment.ts';
import {
  hashOf,
  isAccount,
  operationIndexOf,
  type Receiver,
  TOKENLESS_OPERATIONS,
  TRANSFER_INDEX_STEP,
} from './token-credits.ts';

interface TokenMove {
  readonly to: string | null;
  readonly amountMinor: bigint;
  readonly index: number;
}

/** Throws `UnreadableAnswer` for an operation that may have moved the token in an unknown way. */
export function readTokenDebits(record: HorizonFields, owner: Receiver): readonly Outflow[] {
  if (record.transaction_successful === false) return [];
  const moves = movesOf(record, owner);
  if (moves.length === 0) return [];
  const txHash = hashOf(record);
  // The record includes its transaction, so that our transaction is recognised inside a fee bump of a different account.
  const innerHash = innerHashOf(fieldsOf(record.transaction, 'the transaction of an operation'));
  const operation = operationIndexOf(record);
  return moves.map(({ to, amountMinor, index }) => ({
    txHash,
    innerHash,
    index: operation + index * TRANSFER_INDEX_STEP,
    to,
    amountMinor,
  }));
}

function movesOf(record: HorizonFields, { account, token }: Receiver): readonly TokenMove[] {
  const type = textOf(record, 'type');
  const isOurs = isAccount(record.source_account, account);
  switch (type) {
    case 'payment':
      // A payment to ourselves is not an outflow.
      if (!isAccount(record.from, account) || isAccount(record.to, account)) return [];
      return isToken(record, token) ? [moveOf(record, 'amount')] : [];
    case 'path_payment':
    case 'path_payment_strict_receive':
    case 'path_payment_strict_send':
      if (!isAccount(record.from, account)) return [];
      return isSold(record, 'source', token) ? [moveOf(record, 'source_amount')] : [];
    case 'create_claimable_balance':
      return isOurs ? claimableMoves(record, token) : [];
    case 'clawback':
      if (!isAccount(record.from, account) || !isToken(record, token)) return [];
      return [{ to: null, amountMinor: amountOf(record, 'amount'), index: 0 }];
    case 'manage_offer':
    case 'manage_sell_offer':
    case 'manage_buy_offer':
    case 'create_passive_offer':
    case 'create_passive_sell_offer':
      // The list of our operations does not show when other accounts accept our offer.
      if (!isOurs || !isSold(record, 'selling', token)) return [];
      throw new UnreadableAnswer('the treasury offers the token for sale');
    case 'invoke_host_function':
      if (isOurs) throw new UnreadableAnswer('the treasury called a contract');
      return contractMoves(record, account, token);
    default:
      if (TOKENLESS_OPERATIONS.has(type)) return [];
      throw new UnreadableAnswer('a kind of operation that may move the token');
  }
}

function moveOf(record: HorizonFields, amount: string): TokenMove {
  return {
    to: optionalText(record, 'to_muxed') ?? optionalText(record, 'to'),
    amountMinor: amountOf(record, amount),
    index: 0,
  };
}

/** Throws if the record does not fully name the asset, because it may be our token. */
function isSold(record: HorizonFields, prefix: 'source' | 'selling', token: StellarToken): boolean {
  if (textOf(record, `${prefix}_asset_type`) === 'native') return false;
  const asset = {
    asset_code: textOf(record, `${prefix}_asset_code`),
    asset_issuer: textOf(record, `${prefix}_asset_issuer`),
  };
  return isToken(asset, token);
}

function claimableMoves(record: HorizonFields, { code, issuer }: StellarToken): readonly TokenMove[] {
  if (textOf(record, 'asset') !== `${code}:${issuer}`) return [];
  const [first] = listOf(record.claimants, 'claimants');
  const to = isFields(first) ? optionalText(first, 'destination') : null;
  return [{ to, amountMinor: amountOf(record, 'amount'), index: 0 }];
}

/** Other accounts may move our token through a contract if we gave them an allowance or a signature. */
function contractMoves(record: HorizonFields, account: string, token: StellarToken): readonly TokenMove[] {
  return listOf(record.asset_balance_changes ?? [], 'asset_balance_changes')
    .map((change, index) => ({ change: fieldsOf(change, 'a balance change'), index }))
    .filter(({ change }) => isAccount(change.from, account) && isToken(change, token))
    .map(({ change, index }) => ({ ...moveOf(change, 'amount'), index }));
}
