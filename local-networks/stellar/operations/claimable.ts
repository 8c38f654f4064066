// Claimable balances are amounts reserved for accounts that may not be able to receive them yet. The creator pays one reserve
// per claimant until the balance is claimed.
import { StrKey, xdr } from '@stellar/stellar-sdk';
import { creditAccount, debitAccount, type MoveRefusal } from '../balances.ts';
import { accountId, assetName, type InnerTransaction, sha256 } from '../envelope.ts';
import { opResult } from '../results.ts';
import { INT64_MAX, minimumBalance } from '../state.ts';
import { isValidAsset, type OperationRules } from './operation.ts';

const MAX_DEPTH = 4;
const MAX_CLAIMANTS = 10;

function isValidPredicate(predicate: xdr.ClaimPredicate | null, depth = 1): boolean {
  if (predicate === null || depth > MAX_DEPTH) return false;
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true;
    case 'claimPredicateAnd':
    case 'claimPredicateOr':
      return (
        predicate.value.length === 2 && predicate.value.every((part) => isValidPredicate(part, depth + 1))
      );
    case 'claimPredicateNot':
      return isValidPredicate(predicate.notPredicate, depth + 1);
    case 'claimPredicateBeforeAbsoluteTime':
      return predicate.absBefore >= 0n;
    case 'claimPredicateBeforeRelativeTime':
      return predicate.relBefore >= 0n;
  }
}

function fixPredicateTimes(predicate: xdr.ClaimPredicate, closeTime: bigint): xdr.ClaimPredicate {
  switch (predicate.type) {
    case 'claimPredicateAnd':
      return xdr.ClaimPredicate.claimPredicateAnd(
        predicate.value.map((part) => fixPredicateTimes(part, closeTime)),
      );
    case 'claimPredicateOr':
      return xdr.ClaimPredicate.claimPredicateOr(
        predicate.value.map((part) => fixPredicateTimes(part, closeTime)),
      );
    case 'claimPredicateNot':
      return xdr.ClaimPredicate.claimPredicateNot(
        predicate.notPredicate === null ? null : fixPredicateTimes(predicate.notPredicate, closeTime),
      );
    case 'claimPredicateBeforeRelativeTime': {
      const end = closeTime + predicate.relBefore;
      return xdr.ClaimPredicate.claimPredicateBeforeAbsoluteTime(end > INT64_MAX ? INT64_MAX : end);
    }
    default:
      return predicate;
  }
}

function holdsAt(predicate: xdr.ClaimPredicate | null, closeTime: bigint): boolean {
  if (predicate === null) return false;
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true;
    case 'claimPredicateAnd':
      return predicate.value.every((part) => holdsAt(part, closeTime));
    case 'claimPredicateOr':
      return predicate.value.some((part) => holdsAt(part, closeTime));
    case 'claimPredicateNot':
      return !holdsAt(predicate.notPredicate, closeTime);
    case 'claimPredicateBeforeAbsoluteTime':
      return closeTime < predicate.absBefore;
    case 'claimPredicateBeforeRelativeTime':
      return false;
  }
}

function balanceId(transaction: InnerTransaction, index: number): xdr.ClaimableBalanceId {
  const preimage = xdr.HashIdPreimage.envelopeTypeOpId(
    new xdr.HashIdPreimageOperationId({
      sourceAccount: xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(transaction.source.id)),
      seqNum: transaction.sequence,
      opNum: index,
    }),
  );
  return xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(sha256(preimage.toXdr()));
}

const CREATOR = {
  noTrust: 'createClaimableBalanceNoTrust',
  notAuthorized: 'createClaimableBalanceNotAuthorized',
  full: 'createClaimableBalanceUnderfunded',
  underfunded: 'createClaimableBalanceUnderfunded',
} as const satisfies Record<MoveRefusal, string>;

export const createClaimableBalance: OperationRules<xdr.CreateClaimableBalanceOp> = {
  threshold: () => 'med',
  malformed(body) {
    const accounts = body.claimants.map((claimant) => accountId(claimant.v0.destination));
    const claimantsFit =
      accounts.length > 0 && accounts.length <= MAX_CLAIMANTS && new Set(accounts).size === accounts.length;
    const predicatesFit = body.claimants.every((claimant) => isValidPredicate(claimant.v0.predicate));
    return claimantsFit && predicatesFit && body.amount > 0n && isValidAsset(body.asset)
      ? undefined
      : opResult.createClaimable('createClaimableBalanceMalformed');
  },
  apply(body, { layer, transaction, index, source }) {
    const asset = assetName(body.asset);
    const notSent = debitAccount(layer, source, asset, body.amount);
    if (notSent !== undefined) return opResult.createClaimable(CREATOR[notSent]);
    const creator = layer.account(source)!;
    const reserves = body.claimants.length;
    if (creator.balance < minimumBalance(creator, reserves)) {
      return opResult.createClaimable('createClaimableBalanceLowReserve');
    }
    layer.putAccount({ ...creator, sponsoring: creator.sponsoring + reserves });
    const closeTime = BigInt(layer.moment.closeTime);
    const id = balanceId(transaction, index);
    layer.putClaimable({
      id: id.toXdr('hex'),
      asset,
      amount: body.amount,
      claimants: body.claimants.map(({ v0 }) => ({
        account: accountId(v0.destination),
        predicate: fixPredicateTimes(v0.predicate, closeTime),
      })),
      sponsor: source,
      modifiedLedger: 0,
      modifiedTime: 0,
    });
    return opResult.createdClaimable(id);
  },
};

const CLAIMER = {
  noTrust: 'claimClaimableBalanceNoTrust',
  notAuthorized: 'claimClaimableBalanceNotAuthorized',
  full: 'claimClaimableBalanceLineFull',
  underfunded: 'claimClaimableBalanceLineFull',
} as const satisfies Record<MoveRefusal, string>;

export const claimClaimableBalance: OperationRules<xdr.ClaimClaimableBalanceOp> = {
  threshold: () => 'low',
  malformed: () => undefined,
  apply(body, { layer, source }) {
    const balance = layer.claimable(body.balanceId.toXdr('hex'));
    if (balance === undefined) return opResult.claim('claimClaimableBalanceDoesNotExist');
    const claimant = balance.claimants.find(({ account }) => account === source);
    if (claimant === undefined || !holdsAt(claimant.predicate, BigInt(layer.moment.closeTime))) {
      return opResult.claim('claimClaimableBalanceCannotClaim');
    }
    const notReceived = creditAccount(layer, source, balance.asset, balance.amount);
    if (notReceived !== undefined) return opResult.claim(CLAIMER[notReceived]);
    const sponsor = layer.account(balance.sponsor);
    if (sponsor !== undefined) {
      layer.putAccount({ ...sponsor, sponsoring: sponsor.sponsoring - balance.claimants.length });
    }
    layer.removeClaimable(balance.id);
    return opResult.claim('claimClaimableBalanceSuccess');
  },
};
