// Decides whether a rail that asks may pay. The service approves only its own exact order, and only while the outcome of the
// order is open. So a stolen API key of the rail cannot pay anything. The service refuses every other request and raises an
// alert. If its check fails, it returns an error, which the rail treats as a refusal.
import { serviceActor } from '../../domain/people/actor.ts';
import type { ApprovalDoubt, ApprovalRequest } from '../../domain/rails/approval-request.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PayoutApprovals } from '../../ports/rails/payout-guard.ts';
import type {
  ParsedRailQuestion,
  PayoutValidation,
  Rail,
  RailQuestion,
  RailRegistry,
} from '../../ports/rails/rail.ts';
import type { RailKey } from '../../ports/rails/rail-store.ts';

export interface ValidatePayoutDeps {
  readonly banks: RailRegistry;
  readonly approvals: PayoutApprovals;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** Returns undefined if it is unknown whether payouts are stopped. */
  readonly catalogue: () => Pick<CatalogueSnapshot, 'halts' | 'movementsPaused'> | undefined;
  readonly isUnwatched: (mode: Mode, asset: string) => boolean;
  /** The service calls this for a request that is not proven to come from a rail. */
  readonly onForged: (detail: Readonly<Record<string, unknown>>) => void;
  /** The service calls this if a rail asks about an order that it may not pay. */
  readonly onRejected: (detail: Readonly<Record<string, unknown>>) => void;
  /** The service calls this if it refuses only because no money may leave now. */
  readonly onPaused: (detail: Readonly<Record<string, unknown>>) => void;
}

export type ValidationOutcome =
  | { readonly kind: 'forged' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'answered'; readonly approved: boolean; readonly body: unknown };

type RejectionReason = ApprovalDoubt | 'unreadable' | 'other_payout_account';

interface ProvenQuestion extends RailKey {
  readonly validation: PayoutValidation;
  readonly read: ParsedRailQuestion;
}

export function listValidationPlaces(banks: RailRegistry): ReadonlySet<string> {
  return new Set(listAskingRails(banks).map(({ validation }) => validation.place));
}

function listAskingRails(banks: RailRegistry) {
  const asks = (rail: Rail): rail is Rail & { validation: PayoutValidation } => rail.validation !== undefined;
  return MODES.flatMap((mode) =>
    banks
      .enabled(mode)
      .filter(asks)
      .map(({ name: rail, validation }) => ({ mode, rail, validation })),
  );
}

export async function validatePayout(
  deps: ValidatePayoutDeps,
  place: string,
  question: RailQuestion,
): Promise<ValidationOutcome> {
  const proven = listAskingRails(deps.banks)
    .filter(({ validation }) => validation.place === place)
    .map((rail): ProvenQuestion => ({ ...rail, read: rail.validation.read(question) }))
    .filter(({ read }) => read.kind !== 'forged');
  const [first] = proven;
  if (first === undefined) {
    deps.onForged({ place, address: question.address });
    return { kind: 'forged' };
  }
  const asked = proven.filter(({ read }) => read.kind === 'asked');
  if (asked.length === 0) return rejectQuestion(deps, first);
  return answerQuestion(deps, asked);
}

/** The request is proven to come from the rail, but is about an order that the service cannot have made. */
async function rejectQuestion(
  deps: ValidatePayoutDeps,
  { rail, mode, validation, read }: ProvenQuestion,
): Promise<ValidationOutcome> {
  const why = read.kind === 'unreadable' ? 'unreadable' : 'other_payout_account';
  await recordRejection(deps, { mode, rail }, why, null);
  if (read.kind === 'unreadable') return { kind: 'unreadable', why: read.why };
  return { kind: 'answered', approved: false, body: validation.answer(false) };
}

async function answerQuestion(
  deps: ValidatePayoutDeps,
  asked: readonly ProvenQuestion[],
): Promise<ValidationOutcome> {
  const [{ mode, rail, validation, read }] = asked as readonly [ProvenQuestion, ...ProvenQuestion[]];
  const { orders } = read as Extract<ParsedRailQuestion, { kind: 'asked' }>;
  const say = (approved: boolean): ValidationOutcome => ({
    kind: 'answered',
    approved,
    body: validation.answer(approved),
  });
  const known = deps.catalogue();
  const mayLeave = known !== undefined && !known.movementsPaused;
  const moving = asked.filter(
    (each) => mayLeave && !known.halts.has(`${each.mode} ${NAIRA}`) && !deps.isUnwatched(each.mode, NAIRA),
  );
  if (moving.length === 0) {
    deps.onPaused({ mode, rail, references: orders.map(({ reference }) => reference) });
    return say(false);
  }
  const judged = await deps.approvals.judge(orders, moving, deps.clock.now());
  if (judged.kind === 'rejected') await recordRejection(deps, { mode, rail }, judged.doubt, judged.asked);
  return say(judged.kind === 'approved');
}

/** Raises an alert. The audit log records it first, because a log line alone can be lost. */
async function recordRejection(
  { audit, clock, onRejected }: ValidatePayoutDeps,
  { mode, rail }: RailKey,
  why: RejectionReason,
  asked: ApprovalRequest | null,
): Promise<void> {
  const about = asked && {
    reference: asked.reference,
    amount_minor: asked.amountMinor.toString(),
    bank: asked.bankCode,
    account_ends_in: asked.accountNumber.slice(-4),
  };
  const detail = { mode, rail, why, ...about };
  await audit.record({
    ...{ actor: serviceActor('rails'), atMs: clock.now(), action: 'payout.not_approved' },
    ...{ subject: `rail ${mode} ${rail}`, businessId: null, detail },
  });
  onRejected(detail);
}
