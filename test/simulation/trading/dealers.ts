// Plays the operator's desk in a seed that trades. The desk changes spreads and sets prices: one person sets a price if the
// rule allows it, otherwise two people do. Some desk prices replace all other sources for a while.

import { judgePrice } from '../../../src/domain/rates/price-change.ts';
import { findLastAccepted } from '../../../src/domain/rates/rate-decision.ts';
import { CURRENCIES } from '../../../src/domain/rates/rates.ts';
import { MODE } from '../people/company.ts';
import type { Keeper } from './keepers.ts';
import type { TradeStage } from './stage.ts';

export function startDealers(stage: TradeStage, keepers: readonly Keeper[], untilMs: number): void {
  const { setting, dice } = stage;
  const { agenda } = setting;
  const spanMs = untilMs - agenda.now();
  for (let count = dice.below(3); count > 0; count--)
    agenda.at(agenda.now() + dice.below(spanMs), () => changeSpread(stage, keepers));
  for (let count = dice.below(4); count > 0; count--)
    agenda.at(agenda.now() + dice.below(spanMs), () => setPrice(stage));
}

function changeSpread({ setting, dice, memory }: TradeStage, keepers: readonly Keeper[]): void {
  memory.spreads.push({
    ...{ mode: MODE, product: 'otc_buy', tier: null, setBy: 'operator' },
    currency: dice.percent(50) ? null : dice.pick(CURRENCIES),
    ...{ spreadBps: dice.below(300), fromMs: setting.agenda.now() },
  });
  for (const keeper of keepers) keeper.hear();
}

function setPrice({ setting, dice, memory, world }: TradeStage): void {
  const { agenda, tale } = setting;
  const currency = dice.pick(CURRENCIES);
  const { lowE4, highE4 } = world.honest(currency);
  const valueE4 = lowE4 + ((highE4 - lowE4) * BigInt(dice.below(101))) / 100n;
  const book = memory.books.get(`${MODE} otc_buy`)?.decision ?? null;
  const judged = judgePrice({
    ...{ currency, valueE4, othersE4: null, setAlone: [] },
    lastAcceptedE4: findLastAccepted(book)[currency]?.valueE4 ?? null,
  });
  if (judged.kind === 'refused') setting.broken('an honest price can be set', judged.why, null);
  const confirmed = judged.kind === 'two_people';
  tale.line('desk', `sets ${currency} to ${valueE4}${confirmed ? ', confirmed' : ''}`);
  memory.deskPrices.push({
    ...{ mode: MODE, product: 'otc_buy', currency, valueE4, confirmed, sample: false },
    ...{ asOfMs: agenda.now(), validUntilMs: agenda.now() + dice.between(5_000, 90_000) },
    ...{ override: dice.percent(50), setBy: 'one', approvedBy: confirmed ? 'two' : null },
  });
}
