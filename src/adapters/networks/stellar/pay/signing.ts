// Adds the treasury's signature to a transaction. The signer gets the payments of the transaction, because it has its own caps.
import { type FeeBumpTransaction, Keypair, type Transaction } from '@stellar/stellar-sdk/base';
import { SigningRefused } from '../../../../ports/signer.ts';
import type { PlannedPayment } from '../horizon/envelope.ts';
import type { StellarChain } from '../horizon/stellar-chain.ts';

export async function signTransaction(
  { settings, signer, treasury }: StellarChain,
  transaction: Transaction | FeeBumpTransaction,
  planned: readonly PlannedPayment[],
): Promise<SigningRefused | undefined> {
  const message = transaction.hash();
  let signature: Uint8Array;
  try {
    signature = await signer.sign({
      network: settings.name,
      key: settings.key,
      derived: null,
      scheme: 'ed25519',
      message,
      spends: planned.map(({ payment: { to, amountMinor } }) => ({ to, amountMinor })),
    });
  } catch (error) {
    if (error instanceof SigningRefused) return error;
    throw error;
  }
  if (!Keypair.fromPublicKey(treasury).verify(message, signature))
    throw new Error(`${settings.name}: the signer's signature is not the treasury's`);
  transaction.addSignature(treasury, Buffer.from(signature).toString('base64'));
  return undefined;
}
