// Queries rails again about finished payouts. A rail may return a payment, or pay a payout that it had refused. Both become
// notices, which settlement books. `paid` is new information only if the rail had refused the payout or reported its return.
// Many rails keep reporting `paid` after the statement shows a return.
import type { BankNotice, NoticeKind } from '../../../domain/records/notice.ts';
import type { PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import { type EndedPayout, FIRST_LOOK_MS } from '../../../ports/store/store.ts';
import { newId, type PickDeps } from '../../engine/deps.ts';
import { runEach } from '../../engine/retries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The service queries a payout at these times, counted from the end of the payout. */
const LOOKS_MS = [FIRST_LOOK_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 6 * DAY_MS] as const;
/** The lease of a query. It is longer than the slowest rail may take to respond. */
const LEASE_MS = 3 * MINUTE_MS;
const BATCH = 50;

type WatchDeps = PickDeps<'store' | 'clock' | 'entropy' | 'banks'>;

export async function watchEndedPayouts(
  deps: WatchDeps,
): Promise<{ readonly asked: number; readonly news: number }> {
  const request = { atMs: deps.clock.now(), leaseMs: LEASE_MS, limit: BATCH };
  const leased = await deps.store.leaseEndedPayouts(request);
  const { done, rethrow } = await runEach(leased, (payout) => recheckPayout(deps, payout));
  rethrow();
  return { asked: leased.length, news: done.filter(({ outcome }) => outcome).length };
}

async function recheckPayout(deps: WatchDeps, payout: EndedPayout): Promise<boolean> {
  const rail = deps.banks.find(payout.mode, payout.rail);
  // The service cannot query a rail that is not configured. The check still counts, because the rail may be configured again at
  // the next check.
  const status: PayoutStatus =
    rail?.payouts == null
      ? { kind: 'unknown', reason: 'the rail is not configured' }
      : await rail.payouts.ask(payout.reference);
  const kind = noticeKindFor(payout, status);
  // The service stores the notice before it advances the row. If the process dies in between, the service queries the rail
  // again and stores the same notice only once.
  const stored = kind !== null && (await storeNotice(deps, payout, kind, status));
  const { endedAtMs } = payout;
  const said = terminalKind(status) ?? payout.said;
  // If the service was stopped, it replaces all missed checks by one check.
  const nowMs = deps.clock.now();
  const looks = LOOKS_MS.findIndex((afterMs, no) => no > payout.looks && endedAtMs + afterMs > nowMs);
  const next = looks === -1 ? null : { looks, said, dueAtMs: endedAtMs + LOOKS_MS[looks]! };
  await deps.store.moveEndedPayout(payout, next);
  return stored;
}

function noticeKindFor({ paid, said }: EndedPayout, { kind }: PayoutStatus): NoticeKind | null {
  if (kind === 'returned') return paid ? 'payout_returned' : null;
  if (kind !== 'paid') return null;
  return !paid || said === 'returned' ? 'payout_paid_late' : null;
}

function terminalKind({ kind }: PayoutStatus): EndedPayout['said'] {
  return kind === 'paid' || kind === 'failed' || kind === 'returned' ? kind : null;
}

async function storeNotice(
  deps: WatchDeps,
  { movementId, mode, rail, reference }: EndedPayout,
  kind: NoticeKind,
  status: PayoutStatus,
): Promise<boolean> {
  const movement = await deps.store.movementById(movementId);
  if (movement === undefined) throw new Error(`the ended payout ${movementId} has no movement`);
  // The statement has already reported this return.
  if (kind === 'payout_returned' && movement.state === 'returned') return false;
  const atMs = deps.clock.now();
  const notice: BankNotice = {
    ...{ id: newId(deps, 'ntc'), mode, source: rail, kind, about: reference },
    // The id is the same as the id that settle-payout.ts makes from a rail's response, so that the notice counts once.
    sourceId: `${kind === 'payout_returned' ? 'returned' : 'paid_late'}:${reference}`,
    amountMinor: movement.nairaMinor,
    ...{ receivedAtMs: atMs, raw: { bank_says: status.kind, ...noticeDetailOf(status) }, state: 'open' },
    ...{ version: 1, dueAtMs: atMs, tries: 0 },
  };
  const [outcome] = await deps.store.commit([{ atMs, newNotices: [notice] }]);
  return outcome?.kind === 'committed';
}

/** The service books the charge that the rail reports for a payout together with the notice (settlement/handle-notices.ts). */
function noticeDetailOf(status: PayoutStatus): object {
  if (status.kind === 'paid' && status.chargeMinor !== null) return { charge_minor: `${status.chargeMinor}` };
  return 'reason' in status ? { reason: status.reason } : {};
}
