// Signs again with a nonce that this service already used: the same payments for a higher fee, or a cancellation. The chain can
// include at most one of the versions with the same nonce. A payment whose price is already high enough is not signed again,
// because a new signature would only cost more.
import type { Network } from '../../../../ports/networks/network.ts';
import type { Envelope, SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import type { EvmContext } from '../rpc/context.ts';
import { isFeeEnough, outbidFees, readFeeMarket } from './fees.ts';
import { CANCEL_GAS } from './gas.ts';
import { decodeSignedBytes, newestVersionOf } from './payload.ts';
import { signDraft, type TransactionDraft } from './sign.ts';

/**
 * After this multiple of the waiting time the price is raised even if it seems high enough, because the market data may be
 * wrong.
 */
const PATIENCE = 10;

export function makeReplaceAndCancel(context: EvmContext): Pick<Network, 'replace' | 'cancel'> {
  const { settings, parts, providers, treasury } = context;

  const again = async (
    envelope: Envelope,
    draft: TransactionDraft,
    always: boolean,
  ): Promise<SignedTransaction | undefined> => {
    const newest = newestVersionOf(envelope);
    try {
      const market = await providers.one(readFeeMarket);
      const isRecent = parts.clock.now() - newest.signedAtMs <= PATIENCE * settings.stuckAfterMs;
      if (!always && isRecent && isFeeEnough(newest.fees, market))
        return envelope.versions.find(({ hash }) => hash === newest.hash);
      const fees = outbidFees(newest.fees, market, settings.maxFeePerGas);
      if (fees === undefined) return undefined;
      return await signDraft(context, draft, Number(newest.sequence), fees, []);
    } catch (error) {
      parts.onTrouble('a payment could not be signed again', {
        network: settings.name,
        error: (error as Error).message,
      });
      return undefined;
    }
  };

  return {
    replace: (envelope) => {
      const { content } = newestVersionOf(envelope);
      const { to, data, gas } = decodeSignedBytes(content.raw);
      return again(envelope, { ...content, to, data, gas }, false);
    },
    cancel: (envelope) =>
      again(
        envelope,
        { kind: 'cancel', to: treasury, data: '0x', gas: CANCEL_GAS, batch: null, items: [] },
        true,
      ),
  };
}
