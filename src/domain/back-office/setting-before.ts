// Whether a setting is still what it was when it was proposed. Most must be the very same. Prices move by themselves while a
// second person looks: a proposal about them holds while no other desk price was set, and while what was accepted last has moved
// by at most 2 %, the distance from which the book rejects a number as well.
import type { SettingRequest } from './setting.ts';

/** Of one currency, in the text of `before`: the newest desk price, and what was accepted last. Null: never. */
export type PriceBefore = readonly [currency: string, deskPriceId: string | null, acceptedE4: string | null];

const MAX_MOVE_PERCENT = 2n;

export function isStillBefore(request: SettingRequest, then: string, now: string): boolean {
  if (then === now || request.setting !== 'rates_set') return then === now;
  const [old, current] = [then, now].map((text) => JSON.parse(text) as readonly PriceBefore[]);
  return old!.length === current!.length && old!.every((price, index) => isNear(price, current![index]!));
}

function isNear([currency, deskPrice, accepted]: PriceBefore, now: PriceBefore): boolean {
  const [nowCurrency, nowDeskPrice, nowAccepted] = now;
  if (currency !== nowCurrency || deskPrice !== nowDeskPrice) return false;
  if (accepted === null || nowAccepted === null) return accepted === nowAccepted;
  const moved = BigInt(nowAccepted) - BigInt(accepted);
  return (moved < 0n ? -moved : moved) * 100n <= BigInt(accepted) * MAX_MOVE_PERCENT;
}
