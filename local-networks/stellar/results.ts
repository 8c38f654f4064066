// Results of transactions and operations: as XDR, as names of the protocol, and as Horizon's codes.
import { xdr } from '@stellar/stellar-sdk';

export type InnerCode = xdr.InnerTransactionResultResult['type'];
export type TransactionCode = xdr.TransactionResultResult['type'];

/** The result of a transaction. For a fee-bump, `inner` is the result of the transaction inside. */
export interface TransactionVerdict {
  readonly code: TransactionCode;
  readonly feeCharged: bigint;
  readonly operations: readonly xdr.OperationResult[];
  readonly inner?: { readonly hash: Uint8Array; readonly code: InnerCode };
}

/** The result of checking or applying a plain transaction, before fees. */
export interface InnerVerdict {
  readonly code: InnerCode;
  readonly operations: readonly xdr.OperationResult[];
}

export function refusedVerdict(code: InnerCode): InnerVerdict {
  return { code, operations: [] };
}

const innerOperationResult = (tr: xdr.OperationResultTr): xdr.OperationResult =>
  xdr.OperationResult.opInner(tr);

type ResultCode<T extends { type: string }> = T['type'];

export const opResult = {
  payment: (code: ResultCode<xdr.PaymentResult>) =>
    innerOperationResult(xdr.OperationResultTr.payment(xdr.PaymentResult[code]())),
  createAccount: (code: ResultCode<xdr.CreateAccountResult>) =>
    innerOperationResult(xdr.OperationResultTr.createAccount(xdr.CreateAccountResult[code]())),
  changeTrust: (code: ResultCode<xdr.ChangeTrustResult>) =>
    innerOperationResult(xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult[code]())),
  setTrustLineFlags: (code: ResultCode<xdr.SetTrustLineFlagsResult>) =>
    innerOperationResult(xdr.OperationResultTr.setTrustLineFlags(xdr.SetTrustLineFlagsResult[code]())),
  setOptions: (code: ResultCode<xdr.SetOptionsResult>) =>
    innerOperationResult(xdr.OperationResultTr.setOptions(xdr.SetOptionsResult[code]())),
  manageData: (code: ResultCode<xdr.ManageDataResult>) =>
    innerOperationResult(xdr.OperationResultTr.manageData(xdr.ManageDataResult[code]())),
  bumpSequence: (code: ResultCode<xdr.BumpSequenceResult>) =>
    innerOperationResult(xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult[code]())),
  claim: (code: ResultCode<xdr.ClaimClaimableBalanceResult>) =>
    innerOperationResult(
      xdr.OperationResultTr.claimClaimableBalance(xdr.ClaimClaimableBalanceResult[code]()),
    ),
  createClaimable: (
    code: Exclude<ResultCode<xdr.CreateClaimableBalanceResult>, 'createClaimableBalanceSuccess'>,
  ) =>
    innerOperationResult(
      xdr.OperationResultTr.createClaimableBalance(xdr.CreateClaimableBalanceResult[code]()),
    ),
  createdClaimable: (id: xdr.ClaimableBalanceId) =>
    innerOperationResult(
      xdr.OperationResultTr.createClaimableBalance(
        xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(id),
      ),
    ),
  merge: (code: Exclude<ResultCode<xdr.AccountMergeResult>, 'accountMergeSuccess'>) =>
    innerOperationResult(xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult[code]())),
  merged: (balance: bigint) =>
    innerOperationResult(
      xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(balance)),
    ),
  badAuth: () => xdr.OperationResult.opBadAuth(),
  noAccount: () => xdr.OperationResult.opNoAccount(),
  notSupported: () => xdr.OperationResult.opNotSupported(),
  tooManySubentries: () => xdr.OperationResult.opTooManySubentries(),
};

function operationCode(result: xdr.OperationResult): string {
  return result.type === 'opInner' ? result.tr.value.type : result.type;
}

export function isOperationSuccess(result: xdr.OperationResult): boolean {
  return operationCode(result).endsWith('Success');
}

export function isTransactionSuccess(verdict: { readonly code: TransactionCode }): boolean {
  return verdict.code === 'txSuccess' || verdict.code === 'txFeeBumpInnerSuccess';
}

type WithOperations = 'txSuccess' | 'txFailed';

export function verdictXdr(verdict: TransactionVerdict): string {
  const results = [...verdict.operations];
  const plain = (code: Exclude<TransactionCode, 'txFeeBumpInnerSuccess' | 'txFeeBumpInnerFailed'>) =>
    code === 'txSuccess' || code === 'txFailed'
      ? xdr.TransactionResultResult[code satisfies WithOperations](results)
      : xdr.TransactionResultResult[code]();
  const { code } = verdict;
  let result: xdr.TransactionResultResult;
  if (code === 'txFeeBumpInnerSuccess' || code === 'txFeeBumpInnerFailed') {
    const { hash, code: innerCode } = verdict.inner!;
    const innerResult =
      innerCode === 'txSuccess' || innerCode === 'txFailed'
        ? xdr.InnerTransactionResultResult[innerCode](results)
        : xdr.InnerTransactionResultResult[innerCode]();
    result = xdr.TransactionResultResult[code](
      new xdr.InnerTransactionResultPair({
        transactionHash: hash,
        result: new xdr.InnerTransactionResult({
          feeCharged: 0n,
          result: innerResult,
          ext: xdr.InnerTransactionResultExt.fromXdrObject({ v: 0 }),
        }),
      }),
    );
  } else {
    result = plain(code);
  }
  const ext = xdr.TransactionResultExt.fromXdrObject({ v: 0 });
  return new xdr.TransactionResult({ feeCharged: verdict.feeCharged, result, ext }).toXdr('base64');
}

export function verdictText(verdict: TransactionVerdict): string {
  const operations = verdict.operations.map(operationCode).join(',');
  const code = verdict.inner === undefined ? verdict.code : `${verdict.code}(${verdict.inner.code})`;
  return `${code}${operations === '' ? '' : `[${operations}]`} fee=${verdict.feeCharged}`;
}

const HORIZON_NAMES: Record<string, string> = {
  txNoAccount: 'tx_no_source_account',
  opNoAccount: 'op_no_source_account',
  createAccountAlreadyExist: 'op_already_exists',
  manageDataNameNotFound: 'op_data_name_not_found',
  manageDataInvalidName: 'op_data_invalid_name',
  accountMergeSeqnumTooFar: 'op_seq_num_too_far',
  setTrustLineFlagsNoTrustLine: 'op_no_trust_line',
};

const KINDS =
  /^(createAccount|payment|changeTrust|setTrustLineFlags|setOptions|manageData|bumpSequence|createClaimableBalance|claimClaimableBalance|accountMerge)(?=[A-Z])/;

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function horizonName(code: string): string {
  const named = HORIZON_NAMES[code];
  if (named !== undefined) return named;
  return KINDS.test(code) ? toSnakeCase(code.replace(KINDS, 'op')) : toSnakeCase(code);
}

export interface ResultCodes {
  transaction: string;
  inner_transaction?: string;
  operations?: string[];
}

export function horizonCodes(verdict: TransactionVerdict): ResultCodes {
  const codes: ResultCodes = { transaction: horizonName(verdict.code) };
  if (verdict.inner !== undefined) codes.inner_transaction = horizonName(verdict.inner.code);
  const operations = verdict.operations.map((result) => horizonName(operationCode(result)));
  if (operations.length > 0) codes.operations = operations;
  return codes;
}
