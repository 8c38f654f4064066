// Every operation that this ledger supports, by the name of its body. Any other kind is refused with opNotSupported before it
// reaches a ledger.
import { xdr } from '@stellar/stellar-sdk';
import type { DecodedOperation, InnerTransaction } from '../envelope.ts';
import { opResult } from '../results.ts';
import type { SignatureCheck } from '../signatures.ts';
import type { StateReader } from '../state.ts';
import { claimClaimableBalance, createClaimableBalance } from './claimable.ts';
import type { ApplyContext, OperationRules } from './operation.ts';
import { accountMerge, createAccount, payment } from './payments.ts';
import { bumpSequence, manageData, setOptions } from './settings.ts';
import { changeTrust, setTrustLineFlags } from './trust.ts';

type Bodies = { [Body in xdr.OperationBody as Body['type']]: Body['value'] };
type Rules = { readonly [Type in keyof Bodies]?: OperationRules<NonNullable<Bodies[Type]>> };

const RULES: Rules = {
  createAccount,
  payment,
  accountMerge,
  changeTrust,
  setTrustLineFlags,
  setOptions,
  manageData,
  bumpSequence,
  createClaimableBalance,
  claimClaimableBalance,
};

const NO_BALANCE = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(new Uint8Array(32));

function rulesFor(operation: DecodedOperation): OperationRules<unknown> | undefined {
  return RULES[operation.body.type] as OperationRules<unknown> | undefined;
}

export function sourceOf(operation: DecodedOperation, transaction: InnerTransaction): string {
  return operation.source?.id ?? transaction.source.id;
}

/** The refusal if the source of the operation has not authorised it. Undefined means that the source has authorised it. */
export function findUnauthorized(
  operation: DecodedOperation,
  transaction: InnerTransaction,
  state: StateReader,
  signatures: SignatureCheck,
): xdr.OperationResult | undefined {
  const source = sourceOf(operation, transaction);
  const account = state.account(source);
  if (account === undefined) {
    if (operation.source === undefined) return opResult.noAccount();
    // An earlier operation of the same transaction may create the account.
    return signatures.missingAccount(source) ? undefined : opResult.badAuth();
  }
  const threshold = rulesFor(operation)?.threshold(operation.body.value) ?? 'med';
  return signatures.account(account, account.thresholds[threshold]) ? undefined : opResult.badAuth();
}

export function findMalformed(
  operation: DecodedOperation,
  transaction: InnerTransaction,
): xdr.OperationResult | undefined {
  const rules = rulesFor(operation);
  if (rules === undefined) return opResult.notSupported();
  return rules.malformed(operation.body.value, sourceOf(operation, transaction));
}

export function applyOperation(
  operation: DecodedOperation,
  context: Omit<ApplyContext, 'source'>,
): xdr.OperationResult {
  const source = sourceOf(operation, context.transaction);
  if (context.layer.account(source) === undefined) return opResult.noAccount();
  const refused = findMalformed(operation, context.transaction);
  if (refused !== undefined) return refused;
  return rulesFor(operation)!.apply(operation.body.value, { ...context, source });
}

/** The result of an operation that was not checked, because an earlier operation was already refused. */
export function untouchedResult(operation: DecodedOperation): xdr.OperationResult {
  switch (operation.body.type) {
    case 'createAccount':
      return opResult.createAccount('createAccountSuccess');
    case 'payment':
      return opResult.payment('paymentSuccess');
    case 'accountMerge':
      return opResult.merged(0n);
    case 'changeTrust':
      return opResult.changeTrust('changeTrustSuccess');
    case 'setTrustLineFlags':
      return opResult.setTrustLineFlags('setTrustLineFlagsSuccess');
    case 'setOptions':
      return opResult.setOptions('setOptionsSuccess');
    case 'manageData':
      return opResult.manageData('manageDataSuccess');
    case 'bumpSequence':
      return opResult.bumpSequence('bumpSequenceSuccess');
    case 'createClaimableBalance':
      return opResult.createdClaimable(NO_BALANCE);
    case 'claimClaimableBalance':
      return opResult.claim('claimClaimableBalanceSuccess');
    default:
      return opResult.notSupported();
  }
}
