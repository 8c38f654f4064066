// Simulates businesses that trade on quotes. Some wait until a quote has expired, send another amount or another business's
// quote, or use a quote twice. The service must refuse each of these requests with the right reason, and the trade then
// continues with a valid quote.
import type { MadeQuote } from '../../../src/app/quotes/make-quote.ts';
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import { referenceE4 } from '../../../src/domain/rates/bounds.ts';
import { CURRENCIES, type Currency } from '../../../src/domain/rates/rates.ts';
import type { Dice } from '../../support/dice.ts';
import { askUntilAnswered, type Desk, nairaText, openDesk, submitOn } from '../people/clients.ts';
import type { Errand } from '../people/errands.ts';
import type { Machine } from '../world/gate.ts';
import { NETWORKS, walletsOn } from '../world/places.ts';
import type { Keeper } from './keepers.ts';
import type { TradeStage } from './stage.ts';

const HOWS = {
  plainly: 60,
  too_late: 10,
  other_amount: 8,
  other_business: 6,
  other_network: 6,
  twice: 10,
} as const;
type How = keyof typeof HOWS;

export interface Trades {
  readonly desk: Desk;
  /** The errands that the service did not refuse, by reference. Each has the amount of its quote. */
  readonly errands: ReadonlyMap<string, Errand>;
}

interface Trade {
  readonly errand: Errand;
  readonly how: How;
  readonly currency: Currency | 'NGN';
  readonly bindsNetwork: boolean;
  readonly idempotencyKey: string | null;
}

/**
 * `RETRY_MS`: the shortest and the longest wait before the next request for a quote. `THINK_MS`: the longest wait before a
 * business uses a quote.
 */
const RETRY_MS = [2_000, 8_000] as const;
const THINK_MS = 6_000;
const GIVES_UP = 40;

export function startTraders(
  stage: TradeStage,
  parts: { readonly machines: readonly Machine[]; readonly keepers: readonly Keeper[] },
  errands: readonly Errand[],
): Trades {
  const { dice, setting } = stage;
  const begun = new Map<string, Errand>();
  const desk = openDesk(setting, parts.machines);
  const traders = { ...parts, desk, begun };
  for (const errand of errands) {
    const trade = drawTrade(dice, errand);
    setting.agenda.at(setting.agenda.now() + errand.startMs, () => seekQuote(stage, traders, trade, 1));
  }
  return { desk, errands: begun };
}

function drawTrade(dice: Dice, errand: Errand): Trade {
  const isForeign = errand.type === 'buy' && dice.percent(75);
  return {
    errand,
    how: dice.weighted(HOWS),
    currency: isForeign ? dice.pick(CURRENCIES) : 'NGN',
    bindsNetwork: errand.wallet !== null && dice.percent(60),
    idempotencyKey: dice.percent(50) ? `quote-${errand.reference}` : null,
  };
}

interface Traders {
  readonly machines: readonly Machine[];
  readonly keepers: readonly Keeper[];
  readonly desk: Desk;
  readonly begun: Map<string, Errand>;
}

function seekQuote(stage: TradeStage, traders: Traders, trade: Trade, tries: number): void {
  const { setting, dice } = stage;
  const { errand, currency, bindsNetwork } = trade;
  const { agenda, tale } = setting;
  const amountMinor =
    currency === 'NGN' ? errand.amountMinor : (errand.amountMinor * 10_000n) / referenceE4(currency) + 1n;
  const body = { side: errand.type, currency, network: bindsNetwork ? errand.network : undefined };
  // An idempotency key is used for one quote only, so each new request for a quote needs a new key.
  const idempotencyKey = trade.idempotencyKey === null ? null : `${trade.idempotencyKey}-${tries}`;
  askUntilAnswered<Keeper, MadeQuote>(setting, traders.keepers, {
    name: `quote for ${errand.reference}`,
    request: (keeper) =>
      keeper.quote({
        caller: { key: setting.keys[errand.business]!, catalogue: setting.catalogue() },
        ...{ body, amountText: nairaText(amountMinor), idempotencyKey },
      }),
    answered: (result) => {
      if (result.ok) return useQuote(stage, traders, trade, result.value.quote, tries);
      const { code } = result.error;
      tale.line('trader', `${errand.reference} gets no quote: ${code}`);
      if (code !== 'rates_unavailable' && code !== 'quote_exposure_exceeded')
        setting.broken('a quote is refused for what is wrong', `${errand.reference}: ${code}`, null);
      if (tries >= GIVES_UP) return;
      agenda.at(agenda.now() + dice.between(...RETRY_MS), () => seekQuote(stage, traders, trade, tries + 1));
    },
  });
}

function useQuote(stage: TradeStage, traders: Traders, trade: Trade, quote: Quote, tries: number): void {
  const { setting, dice } = stage;
  const { agenda, tale } = setting;
  const errand = { ...trade.errand, amountMinor: quote.nairaMinor };
  const again = () => {
    if (tries < GIVES_UP) seekQuote(stage, traders, { ...trade, how: 'plainly' }, tries + 1);
  };
  const plainly = () => beginOn(stage, traders, { errand, quote, isTwin: false, again });
  const wrongly = (wrong: Partial<Errand>, code: string, then: () => void) =>
    askWrongly(stage, traders, { ...errand, ...wrong }, { quote, code, then });
  tale.line('trader', `${errand.reference} has ${quote.id} of ${quote.nairaMinor}, and uses it ${trade.how}`);
  agenda.at(agenda.now() + dice.below(THINK_MS), () => {
    switch (trade.how) {
      case 'other_amount':
        return wrongly({ amountMinor: errand.amountMinor + 1n }, 'quote_mismatch', plainly);
      case 'other_business':
        return wrongly({ business: (errand.business + 1) % 3 }, 'quote_unknown', plainly);
      case 'other_network': {
        if (quote.network === null) return plainly();
        const network = NETWORKS.find((each) => each !== quote.network)!;
        return wrongly({ network, wallet: walletsOn(network)[0]! }, 'quote_mismatch', plainly);
      }
      case 'too_late':
        return agenda.at(quote.expiresAtMs + dice.below(3_000), () => wrongly({}, 'quote_expired', again));
      case 'twice': {
        const twin = { ...errand, reference: `${errand.reference}-twin`, idempotencyKey: null };
        const giveUp = () => undefined;
        beginOn(stage, traders, { errand, quote, isTwin: true, again: giveUp });
        return beginOn(stage, traders, { errand: twin, quote, isTwin: true, again: giveUp });
      }
      default:
        return plainly();
    }
  });
}

interface Use {
  readonly errand: Errand;
  readonly quote: Quote;
  /** Whether a second request uses the same quote at the same time. */
  readonly isTwin: boolean;
  readonly again: () => void;
}

function beginOn(
  { setting }: TradeStage,
  { desk, begun }: Traders,
  { errand, quote, isTwin, again }: Use,
): void {
  const { agenda, broken } = setting;
  begun.set(errand.reference, errand);
  desk.begin(errand, {
    id: quote.id,
    refused: (code) => {
      begun.delete(errand.reference);
      if (code === 'quote_used' && isTwin) return;
      if (code === 'quote_expired' && agenda.now() >= quote.expiresAtMs) return again();
      broken('a quote is honoured as it was made', `${errand.reference} on ${quote.id}: ${code}`, null);
    },
  });
}

interface Wrong {
  readonly quote: Quote;
  /** The error code with which the service must refuse the request, despite all faults. */
  readonly code: string;
  readonly then: () => void;
}

function askWrongly({ setting }: TradeStage, { machines }: Traders, errand: Errand, wrong: Wrong): void {
  const { quote, code, then } = wrong;
  const request = { ...errand, reference: `${errand.reference}-wrong`, idempotencyKey: null };
  askUntilAnswered(setting, machines, {
    name: request.reference,
    request: (machine: Machine) =>
      submitOn(
        machine,
        request,
        { key: setting.keys[errand.business]!, catalogue: setting.catalogue() },
        quote.id,
      ),
    answered: (result) => {
      const answer = result.ok ? 'accepted' : result.error.code;
      if (answer !== code)
        setting.broken(
          'a request that does not fit its quote is refused',
          `${request.reference}: ${answer}`,
          null,
        );
      then();
    },
  });
}
