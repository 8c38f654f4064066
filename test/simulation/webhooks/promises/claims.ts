// Checks the claims of deliveries: which process holds which delivery, and since when. No endpoint with a due delivery may be
// skipped again and again.
import type { DeliveryLeaseRequest, LeasedDelivery } from '../../../../src/ports/webhooks.ts';
import { pairOf } from '../store/memory.ts';
import { waiting } from '../store/queue.ts';
import type { WatchedParts, WebhookWatch } from './watching.ts';

export interface Held {
  readonly claimedAtMs: number;
  readonly leaseUntilMs: number;
  readonly readAtMs: number | undefined;
}

export interface ClaimWatch extends Pick<WebhookWatch, 'claimable' | 'claimed' | 'targetRead' | 'restored'> {
  of(courier: string, endpointId: string, eventId: string): Held | undefined;
}

export function makeClaimWatch({ memory, now, broken }: WatchedParts): ClaimWatch {
  const held = new Map<string, Omit<Held, 'readAtMs'>>();
  const readAtMs = new Map<string, number>();
  /**
   * For each endpoint and process: the number of turns that served only other endpoints since a process last served this
   * endpoint.
   */
  const passedOver = new Map<string, Map<string, number>>();
  const served = (
    courier: string,
    { leaseUntilMs }: DeliveryLeaseRequest,
    leased: readonly LeasedDelivery[],
  ) => {
    for (const { endpointId, eventId } of leased) {
      held.set(`${courier} ${pairOf(endpointId, eventId)}`, { claimedAtMs: now(), leaseUntilMs });
      passedOver.delete(endpointId);
    }
  };
  return {
    claimable: ({ atMs, rooms, roomOfOthers }) =>
      new Set(
        waiting(memory)
          .filter(({ dueAtMs, leasedUntilMs }) => dueAtMs <= atMs && (leasedUntilMs ?? 0) <= atMs)
          .map(({ endpointId }) => endpointId)
          .filter((id) => (rooms.get(id) ?? roomOfOthers) > 0),
      ),
    claimed: (courier, request, couldBe, leased) => {
      served(courier, request, leased);
      const taken = new Set(leased.map(({ endpointId }) => endpointId));
      for (const id of couldBe) {
        if (taken.has(id)) continue;
        const by = passedOver.get(id) ?? new Map<string, number>();
        const turns = (by.get(courier) ?? 0) + 1;
        passedOver.set(id, by.set(courier, turns));
        // Failing endpoints share half of the places. While one of them waits for its turn, other endpoints may have a second
        // turn.
        if (turns > 2 * memory.endpoints.size)
          broken('no endpoint waits for another', `${id} is passed over in ${turns} turns of ${courier}`, id);
      }
    },
    targetRead: (courier, endpointId) => void readAtMs.set(`${courier} ${endpointId}`, now()),
    of: (courier, endpointId, eventId) => {
      const lease = held.get(`${courier} ${pairOf(endpointId, eventId)}`);
      return lease && { ...lease, readAtMs: readAtMs.get(`${courier} ${endpointId}`) };
    },
    restored: () => {
      for (const each of [held, readAtMs, passedOver]) each.clear();
    },
  };
}
