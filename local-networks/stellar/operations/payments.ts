// Operations that move funds between accounts: createAccount, payment and accountMerge.
import type { xdr } from '@stellar/stellar-sdk';
import { creditAccount, debitAccount, type MoveRefusal } from '../balances.ts';
import { accountId, accountRef, assetName, issuerOf } from '../envelope.ts';
import { opResult } from '../results.ts';
import {
  BASE_RESERVE_STROOPS,
  countSubentries,
  INT64_MAX,
  NATIVE,
  newAccount,
  spendableStroops,
} from '../state.ts';
import { isValidAsset, type OperationRules } from './operation.ts';

/** The flag of an account that can never be changed and therefore never be removed. */
const IMMUTABLE = 4;

export function startingSequence(ledger: number): bigint {
  return BigInt(ledger) << 32n;
}

export const createAccount: OperationRules<xdr.CreateAccountOp> = {
  threshold: () => 'med',
  malformed: (body, source) =>
    body.startingBalance < 0n || accountId(body.destination) === source
      ? opResult.createAccount('createAccountMalformed')
      : undefined,
  apply(body, { layer, source }) {
    const destination = accountId(body.destination);
    if (layer.account(destination) !== undefined) return opResult.createAccount('createAccountAlreadyExist');
    if (body.startingBalance < 2n * BASE_RESERVE_STROOPS) {
      return opResult.createAccount('createAccountLowReserve');
    }
    if (spendableStroops(layer.account(source)!) < body.startingBalance) {
      return opResult.createAccount('createAccountUnderfunded');
    }
    debitAccount(layer, source, NATIVE, body.startingBalance);
    const sequence = startingSequence(layer.moment.sequence);
    layer.putAccount(newAccount(destination, body.startingBalance, sequence));
    return opResult.createAccount('createAccountSuccess');
  },
};

const RECEIVER = {
  noTrust: 'paymentNoTrust',
  notAuthorized: 'paymentNotAuthorized',
  full: 'paymentLineFull',
  underfunded: 'paymentLineFull',
} as const satisfies Record<MoveRefusal, string>;

const SENDER = {
  noTrust: 'paymentSrcNoTrust',
  notAuthorized: 'paymentSrcNotAuthorized',
  full: 'paymentUnderfunded',
  underfunded: 'paymentUnderfunded',
} as const satisfies Record<MoveRefusal, string>;

export const payment: OperationRules<xdr.PaymentOp> = {
  threshold: () => 'med',
  malformed: (body) =>
    body.amount <= 0n || !isValidAsset(body.asset) ? opResult.payment('paymentMalformed') : undefined,
  apply(body, { layer, source }) {
    const destination = accountRef(body.destination).id;
    // A payment to oneself succeeds without a check of balances.
    if (destination === source) return opResult.payment('paymentSuccess');
    const asset = assetName(body.asset);
    const toIssuer = asset !== NATIVE && issuerOf(asset) === destination;
    if (!toIssuer && layer.account(destination) === undefined) {
      return opResult.payment('paymentNoDestination');
    }
    // The receiving account is checked first. So if both accounts would refuse, the refusal of the receiver is returned.
    const notReceived = creditAccount(layer, destination, asset, body.amount);
    if (notReceived !== undefined) return opResult.payment(RECEIVER[notReceived]);
    const notSent = debitAccount(layer, source, asset, body.amount);
    if (notSent !== undefined) return opResult.payment(SENDER[notSent]);
    return opResult.payment('paymentSuccess');
  },
};

export const accountMerge: OperationRules<xdr.MuxedAccount> = {
  threshold: () => 'high',
  malformed: (body, source) =>
    accountRef(body).id === source ? opResult.merge('accountMergeMalformed') : undefined,
  apply(body, { layer, source }) {
    const into = layer.account(accountRef(body).id);
    if (into === undefined) return opResult.merge('accountMergeNoAccount');
    const from = layer.account(source)!;
    if ((from.flags & IMMUTABLE) !== 0) return opResult.merge('accountMergeImmutableSet');
    // The signers are removed with the account. Everything else must be removed first.
    if (countSubentries(from) !== from.signers.size) return opResult.merge('accountMergeHasSubEntries');
    if (from.sequence >= startingSequence(layer.moment.sequence)) {
      return opResult.merge('accountMergeSeqnumTooFar');
    }
    if (from.sponsoring > 0) return opResult.merge('accountMergeIsSponsor');
    if (into.balance + from.balance > INT64_MAX) return opResult.merge('accountMergeDestFull');
    layer.putAccount({ ...into, balance: into.balance + from.balance });
    layer.removeAccount(source);
    return opResult.merged(from.balance);
  },
};
