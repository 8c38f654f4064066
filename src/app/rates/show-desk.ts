// Shows what people set: the desk prices of the last days and the current spread rules, with the names of these people.
import type { RateProduct } from '../../domain/rates/rates.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DeskPrice, RateStore, StoredSpread } from '../../ports/rates.ts';
import type { ProposalStore } from '../../ports/review-store.ts';

export interface ShowDeskDeps {
  readonly rateStore: Pick<RateStore, 'listDeskPrices' | 'listSpreads'>;
  readonly proposalDesk: Pick<ProposalStore, 'namesOf'>;
  readonly clock: Clock;
}

export interface NamedActor {
  readonly actor: string;
  readonly name: string | null;
}

export interface ShownPrice {
  readonly price: DeskPrice;
  readonly inForce: boolean;
  readonly setBy: NamedActor;
  readonly approvedBy: NamedActor | null;
}

const SHOWN_MS = 7 * 86_400_000;

export async function showDeskPrices(
  { rateStore, proposalDesk, clock }: ShowDeskDeps,
  mode: Mode,
  product: RateProduct,
): Promise<readonly ShownPrice[]> {
  const nowMs = clock.now();
  const prices = await rateStore.listDeskPrices(mode, product, nowMs - SHOWN_MS);
  const people = prices.flatMap(({ setBy, approvedBy }) => [
    setBy,
    ...(approvedBy === null ? [] : [approvedBy]),
  ]);
  const named = makeActorNamer(await proposalDesk.namesOf([...new Set(people)]));
  return prices.map((price, index) => {
    const isNewest = prices.findIndex(({ currency }) => currency === price.currency) === index;
    const hasEnded = price.validUntilMs !== null && price.validUntilMs <= nowMs;
    return {
      ...{ price, inForce: isNewest && !hasEnded, setBy: named(price.setBy) },
      approvedBy: price.approvedBy === null ? null : named(price.approvedBy),
    };
  });
}

export interface ShownSpread {
  readonly spread: StoredSpread;
  readonly setBy: NamedActor;
}

export async function showSpreads(
  { rateStore, proposalDesk }: ShowDeskDeps,
  mode: Mode,
): Promise<readonly ShownSpread[]> {
  const newest = new Map<string, StoredSpread>();
  for (const rule of await rateStore.listSpreads(mode))
    newest.set(`${rule.product} ${rule.currency} ${rule.tier}`, rule);
  const named = makeActorNamer(
    await proposalDesk.namesOf([...new Set([...newest.values()].map((rule) => rule.setBy))]),
  );
  return [...newest.values()].map((spread) => ({ spread, setBy: named(spread.setBy) }));
}

function makeActorNamer(names: ReadonlyMap<string, string>): (actor: string) => NamedActor {
  return (actor) => ({ actor, name: names.get(actor) ?? null });
}
