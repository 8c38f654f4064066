// Signs again with a nonce that was already used here: the same payments for a higher fee, or a cancellation. At most one of
// the versions with one nonce can land.

import type { Network } from '../../../../ports/network/network.ts';
import type { Envelope, Prepared } from '../../../../ports/network/pays.ts';
import type { EvmContext } from '../rpc/context.ts';
import { outbid, readMarket } from './fees.ts';
import { CANCEL_GAS } from './gas.ts';
import { contentOf, newestOf } from './payload.ts';
import { type Draft, signDraft } from './sign.ts';

export function makeResign(context: EvmContext): Pick<Network, 'replace' | 'cancel'> {
  const { settings, parts, providers, treasury } = context;

  const again = async (envelope: Envelope, draft: Draft): Promise<Prepared | undefined> => {
    const newest = newestOf(envelope);
    try {
      const market = await providers.one(readMarket);
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
      return again(envelope, { ...content, to, data, gas });
    },
    cancel: (envelope) =>
      again(envelope, { kind: 'cancel', to: treasury, data: '0x', gas: CANCEL_GAS, batch: null, items: [] }),
  };
}
