// The interface of one kind of operation: its threshold, the check of its format without the ledger, and its application.
import type { xdr } from '@stellar/stellar-sdk';
import type { InnerTransaction } from '../envelope.ts';
import type { SigningThresholds, StateLayer } from '../state.ts';

export interface ApplyContext {
  readonly layer: StateLayer;
  readonly transaction: InnerTransaction;
  readonly index: number;
  readonly source: string;
}

export interface OperationRules<Body> {
  threshold(body: Body): keyof SigningThresholds;
  /** The refusal of an operation that no ledger could accept. Undefined means that the operation is well formed. */
  malformed(body: Body, source: string): xdr.OperationResult | undefined;
  apply(body: Body, context: ApplyContext): xdr.OperationResult;
}

/** An asset code has only letters and digits, and at most the length that the asset type allows. */
export function isValidAsset(asset: xdr.Asset | xdr.ChangeTrustAsset): boolean {
  if (asset.type === 'assetTypeNative') return true;
  if (asset.type === 'assetTypePoolShare') return false;
  const code = Buffer.from(asset.value.assetCode.toBytes()).toString('latin1').replace(/\0+$/, '');
  const [least, most] = asset.type === 'assetTypeCreditAlphanum4' ? [1, 4] : [5, 12];
  return /^[A-Za-z0-9]+$/.test(code) && code.length >= least && code.length <= most;
}
