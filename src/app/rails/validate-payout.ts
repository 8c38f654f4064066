// A rail asks whether it may pay. The answer is yes only if the order is exactly ours and its outcome is still open. So a stolen
// API key of the rail cannot pay anything. Every other request gets the answer no and raises an alert. If our own check fails,
// the answer is an error, which means no to the rail.
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
  /** Undefined if it is unknown whether payouts are stopped. */
  readonly catalogue: () => Pick<CatalogueSnapshot, 'halts' | 'movementsPaused'> | undefined;
  /** Whether a guard of outgoing payments does not complete. */
  readonly isUnwatched: (mode: Mode, asset: string) => boolean;
  /** Called for a request that is not proven to come from a rail. */
  readonly onForged: (detail: Readonly<Record<string, unknown>>) => void;
  /** Called for a request of a rail about an order that may not be paid. */
  readonly onRejected: (detail: Readonly<Record<string, unknown>>) => void;
  /** Called if the answer is no only because no money may leave now. */
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

/** The paths at which rails of this process ask for approval. */
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

/** The request is proven to come from the rail, but it is about an order that we cannot have made. */
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

/** Raises an alert. It is written to the audit log first, because a log line alone can be lost. */
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
