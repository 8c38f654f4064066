// Decodes a transaction envelope (plain or fee-bump) from base64 XDR for the checks, and computes the signed hashes. If it
// cannot decode the bytes, it throws, and the caller returns "malformed".
import { createHash } from 'node:crypto';
import { encodeMuxedAccountToAddress, StrKey, xdr } from '@stellar/stellar-sdk';

export interface AccountRef {
  readonly id: string;
  /** Set only for a muxed address. */
  readonly muxed?: { readonly address: string; readonly id: bigint };
}

export interface DecodedOperation {
  /** If absent, the source is the source of the transaction. */
  readonly source: AccountRef | undefined;
  readonly body: xdr.OperationBody;
}

export interface InnerTransaction {
  readonly hash: Uint8Array;
  readonly hashHex: string;
  readonly source: AccountRef;
  readonly fee: bigint;
  readonly sequence: bigint;
  readonly minTime: bigint;
  /** 0 means that the transaction does not expire. */
  readonly maxTime: bigint;
  readonly hasTimeBounds: boolean;
  readonly conditions: xdr.PreconditionsV2 | undefined;
  readonly memo: xdr.Memo;
  readonly operations: readonly DecodedOperation[];
  readonly signatures: readonly xdr.DecoratedSignature[];
}

export interface FeeBump {
  readonly hash: Uint8Array;
  readonly hashHex: string;
  readonly feeSource: AccountRef;
  readonly fee: bigint;
  readonly signatures: readonly xdr.DecoratedSignature[];
}

export interface StellarEnvelope {
  readonly xdr: string;
  /** The hash of the submitted envelope. For a fee-bump, it is the hash of the fee-bump. */
  readonly hashHex: string;
  readonly inner: InnerTransaction;
  readonly bump: FeeBump | undefined;
  readonly feeSource: AccountRef;
  readonly feeBid: bigint;
  /** The number of operations for which the base fee is due. A fee-bump counts as one more operation. */
  readonly feeUnits: bigint;
}

export function sha256(bytes: Uint8Array | string): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function accountId(key: xdr.AccountId): string {
  return StrKey.encodeEd25519PublicKey(key.ed25519.toBytes());
}

export function accountRef(account: xdr.MuxedAccount): AccountRef {
  if (account.type === 'keyTypeEd25519') {
    return { id: StrKey.encodeEd25519PublicKey(account.ed25519.toBytes()) };
  }
  const { id, ed25519 } = account.med25519;
  const address = encodeMuxedAccountToAddress(account);
  return { id: StrKey.encodeEd25519PublicKey(ed25519.toBytes()), muxed: { address, id } };
}

export function assetName(asset: xdr.Asset): string {
  if (asset.type === 'assetTypeNative') return 'native';
  const { assetCode, issuer } = asset.value;
  const code = Buffer.from(assetCode.toBytes()).toString('latin1').replace(/\0+$/, '');
  return `${code}:${accountId(issuer)}`;
}

export function issuerOf(asset: string): string {
  return asset.slice(asset.indexOf(':') + 1);
}

function signedHash(
  networkId: Uint8Array,
  tagged: xdr.TransactionSignaturePayloadTaggedTransaction,
): Uint8Array {
  return sha256(new xdr.TransactionSignaturePayload({ networkId, taggedTransaction: tagged }).toXdr());
}

function decodeInner(envelope: xdr.TransactionV1Envelope, networkId: Uint8Array): InnerTransaction {
  const { tx } = envelope;
  const hash = signedHash(networkId, xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(tx));
  const conditions = tx.cond.type === 'precondV2' ? tx.cond.v2 : undefined;
  const bounds = tx.cond.type === 'precondTime' ? tx.cond.timeBounds : conditions?.timeBounds;
  return {
    hash,
    hashHex: toHex(hash),
    source: accountRef(tx.sourceAccount),
    fee: BigInt(tx.fee),
    sequence: tx.seqNum,
    minTime: bounds?.minTime ?? 0n,
    maxTime: bounds?.maxTime ?? 0n,
    hasTimeBounds: bounds != null,
    conditions,
    memo: tx.memo,
    operations: tx.operations.map((operation) => ({
      source: operation.sourceAccount === null ? undefined : accountRef(operation.sourceAccount),
      body: operation.body,
    })),
    signatures: envelope.signatures,
  };
}

export function decodeEnvelope(base64: string, networkId: Uint8Array): StellarEnvelope {
  const envelope = xdr.TransactionEnvelope.fromXdr(base64, 'base64');
  if (envelope.type === 'envelopeTypeTxV0') throw new Error('envelopes of version 0 are not supported');
  if (envelope.type === 'envelopeTypeTx') {
    const inner = decodeInner(envelope.v1, networkId);
    const units = BigInt(Math.max(1, inner.operations.length));
    const { hashHex, source, fee } = inner;
    return { xdr: base64, hashHex, inner, bump: undefined, feeSource: source, feeBid: fee, feeUnits: units };
  }
  const { tx, signatures } = envelope.feeBump;
  const inner = decodeInner(tx.innerTx.v1, networkId);
  const hash = signedHash(
    networkId,
    xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(tx),
  );
  const hashHex = toHex(hash);
  const feeSource = accountRef(tx.feeSource);
  return {
    xdr: base64,
    hashHex,
    inner,
    bump: { hash, hashHex, feeSource, fee: tx.fee, signatures },
    feeSource,
    feeBid: tx.fee,
    feeUnits: BigInt(inner.operations.length + 1),
  };
}
