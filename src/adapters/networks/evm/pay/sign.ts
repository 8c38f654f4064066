// Signs the content of a transaction and computes the hash of the bytes. The signer gets the recipients and amounts. The
// signature is checked against the treasury's address, because bytes signed by a different key would not use the treasury's
// nonce.
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  keccak256,
  recoverAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem';
import type { SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import type { SigningRequest } from '../../../../ports/signer.ts';
import type { EvmContext } from '../rpc/context.ts';
import { lowerHex } from '../rpc/contracts.ts';
import type { GasFees } from './fees.ts';
import { type EvmPayload, hashSignedBytes, type PayloadItem, writePayload } from './payload.ts';

export interface TransactionDraft extends Omit<EvmPayload, 'raw'> {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
}

export async function signDraft(
  context: EvmContext,
  { to, data, gas, kind, batch, items }: TransactionDraft,
  nonce: number,
  fees: GasFees,
  /**
   * The items that count against the signer's caps. For a repeated signature the list is empty, because the first signature
   * already counted them.
   */
  counted: readonly PayloadItem[] = items,
): Promise<SignedTransaction> {
  const spends = counted.flatMap((item) =>
    item.kind === 'payment' ? [{ to: item.to, amountMinor: item.amountMinor }] : [],
  );
  const raw = await signTransaction(context, { to, data, gas, nonce, ...fees }, spends);
  return {
    hash: hashSignedBytes(raw),
    source: context.wallet,
    sequence: `${nonce}`,
    payload: writePayload({ kind, raw, batch, items }),
    bound: null,
    signedAtMs: context.parts.clock.now(),
  };
}

/** Without `to` the transaction creates a contract. */
export async function signTransaction(
  { settings, parts, treasury }: EvmContext,
  content: Omit<TransactionSerializableEIP1559, 'type' | 'chainId'>,
  spends: SigningRequest['spends'],
): Promise<Hex> {
  const transaction: TransactionSerializableEIP1559 = {
    type: 'eip1559',
    chainId: settings.chainId,
    ...content,
  };
  const digest = keccak256(serializeTransaction(transaction));
  const signature = await parts.signer.sign({
    network: settings.name,
    key: settings.key,
    derived: null,
    scheme: 'secp256k1',
    message: hexToBytes(digest),
    spends,
  });
  const parsed = {
    r: bytesToHex(signature.subarray(0, 32)),
    s: bytesToHex(signature.subarray(32, 64)),
    yParity: signature[64]! & 1,
  };
  if (lowerHex(await recoverAddress({ hash: digest, signature: parsed })) !== treasury)
    throw new Error('the signer did not sign with the key of the treasury');
  return serializeTransaction(transaction, parsed);
}
