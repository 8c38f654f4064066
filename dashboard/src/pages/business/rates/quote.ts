// The texts about a quote, and example requests that use it.
import type { GetFirstBuyAnswer, Quote } from '../../../api/console-types.ts';
import type { Tone } from '../../../components/format.ts';
import { call } from '../start/snippets.ts';

export const TONES: Readonly<Record<Quote['state'], Tone>> = {
  open: 'progress',
  used: 'completed',
  expired: 'waiting',
};

export function stateAt(
  { state, expires_at: expires }: Pick<Quote, 'state' | 'expires_at'>,
  nowMs: number,
): Quote['state'] {
  return state === 'open' && Date.parse(expires) <= nowMs ? 'expired' : state;
}

export interface QuoteSnippetFacts {
  readonly baseUrl: string;
  readonly businessId: string;
  readonly linkTag: string;
  readonly answer: Pick<GetFirstBuyAnswer, 'vendors' | 'example'>;
}

const OWN: NonNullable<GetFirstBuyAnswer['example']> = {
  ...{ bank_name: 'BANK', account_number: 'ACCOUNT NUMBER', account_name: 'ACCOUNT NAME' },
  ...{ network: 'NETWORK', wallets: {} },
};
const NO_VENDOR = { vendor_name: 'VENDOR', vendor_number: 'VENDOR NUMBER', vendor_bank: 'VENDOR BANK' };

export function quoteLines(
  { quote_id, side, naira_amount, network }: Pick<Quote, 'quote_id' | 'side' | 'naira_amount' | 'network'>,
  { baseUrl, businessId, linkTag, answer: { vendors, example } }: QuoteSnippetFacts,
): string {
  const { wallets, network: preferred, ...account } = example ?? OWN;
  const on = network ?? preferred;
  const common = { business_id: businessId, link_tag: linkTag, amount: Number(naira_amount), quote_id };
  const customer = { ...account, network: on, wallet_address: wallets[on] ?? 'WALLET ADDRESS' };
  return side === 'buy'
    ? call(baseUrl, '/transactions/v1/onramp', {
        ...{ ...common, type: 'buy_ramp', ...(vendors[0] ?? NO_VENDOR), ...customer },
      })
    : call(baseUrl, '/transactions/v1/offramp', { ...common, type: 'sell_ramp', ...customer });
}
