// Signs again with a nonce that was already used here: the same payments for a higher fee, or a cancellation. At most one of
// the versions with one nonce can land. A payment whose price is high enough by the market is not signed again and again:
// another signature would only offer more for the same place.
import type { Network } from '../../../../ports/networks/network.ts';
import type { Envelope, Prepared } from '../../../../ports/networks/pays.ts';
import type { EvmContext } from '../rpc/context.ts';
import { isEnough, outbid, readMarket } from './fees.ts';
import { CANCEL_GAS } from './gas.ts';
import { contentOf, newestOf } from './payload.ts';
import { type Draft, signDraft } from './sign.ts';

/** After so many times as long the price is raised all the same: what the market says may be wrong. */
const PATIENCE = 10;

export function makeResign(context: EvmContext): Pick<Network, 'replace' | 'cancel'> {
  const { settings, parts, providers, treasury } = context;

  const again = async (envelope: Envelope, draft: Draft, always: boolean): Promise<Prepared | undefined> => {
    const newest = newestOf(envelope);
    try {
      const market = await providers.one(readMarket);
      const isRecent = parts.clock.now() - newest.signedAtMs <= PATIENCE * settings.stuckAfterMs;
      if (!always && isRecent && isEnough(newest.fees, market))
        return envelope.versions.find(({ hash }) => hash === newest.hash);
      const fees = outbid(newest.fees, market, settings.maxFeePerGas);
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
      const { content } = newestOf(envelope);
      const { to, data, gas } = contentOf(content.raw);
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
