// Records what the histories covered, because random histories that cover nothing prove nothing.
import type { CommitOutcome, FeedLease } from '../../../../src/ports/store/commit.ts';
import type { Tables } from '../tables.ts';
import type { Operation, Verb } from './operation.ts';
import type { Result } from './stage.ts';

const CONSTRAINTS = [
  'accounts_not_negative',
  'accounts_together_not_negative',
  'approved_with_step_up',
  'bank_credits_counted_once',
  'bank_credits_once',
  'bank_credits_pkey',
  'bank_credits_reported',
  'bank_credits_session',
  'bank_credits_sound',
  'bank_credits_source',
  'bank_notices_amount_minor_check',
  'bank_notices_once',
  'bank_notices_pkey',
  'cases_one_return',
  'cases_pkey',
  'credit_reports_amount_minor_check',
  'credit_reports_credited',
  'credit_reports_once',
  'credit_reports_one_each',
  'credit_reports_pkey',
  'credit_reports_sound',
  'decided_by_a_person',
  'deposits_once',
  'deposits_pkey',
  'deposits_sound',
  'fresh_step_up',
  'idempotency_keys_pkey',
  'limit_usage_used_minor_check',
  'limit_usage_within',
  'match_decisions_pkey',
  'movement_attempts_one_place',
  'movement_attempts_one_sequence',
  'movements_amount_minor_check',
  'movements_naira_minor_check',
  'movements_one_alive',
  'movements_pkey',
  'naira_moves_amount_minor_check',
  'naira_moves_pkey',
  'one_credit_one_transaction',
  'own_step_up',
  'postings_amount_minor_check',
  'postings_balance',
  'postings_pkey',
  'proposal_decisions_pkey',
  'proposal_decisions_proposal_id_proposed_by_fkey',
  'step_up_once',
  'timeline_pkey',
  'two_people',
  'two_people_however_spelled',
  '22021',
  '22P05',
];

const ACCEPTED = [
  'created',
  'repeated',
  'reference_reused',
  'idempotency_key_reused',
  'quote_used',
  'quote_expired',
  'quote_unknown',
  'wallet_is_ours',
  'key_revoked',
];
const THROWN = [
  'accept threw transactions_sound',
  'accept threw transactions_pkey',
  'addProposal threw proposals_pkey',
  'addProposal threw proposals_by_a_person',
];

/** These operations may return nothing, but must return something now and then. */
const FINDING: readonly Verb[] = [
  'leaseTransactions',
  'leaseCredits',
  'leaseDeposits',
  'leaseMovements',
  'leaseNotices',
  'holdFeed',
  'findDepositTargets',
  'findCandidates',
  'claimsOfAmount',
  'hastenCredits',
  'hastenNotices',
  'transactionsById',
  'creditsById',
  'partsOf',
  'depositsOf',
  'creditsOf',
  'movementsOf',
  'movementsOfCredit',
  'movementById',
  'lastAttempts',
  'findCredit',
  'findDeposits',
  'balances',
  'timeline',
  'findRepeated',
  'findTransaction',
  'listTransactions',
  'isDepositTarget',
  'findIdempotencyKey',
  'purgeIdempotencyKeys',
  'findProposal',
  'listOpenProposals',
  'openProposalsOn',
  'creditsMeaning',
  'depositById',
  'noticeById',
  'caseById',
  'openCasesOn',
  'leaseEndedPayouts',
  'unknownPayouts',
];

/** Every rule of the database that a change or an acceptance can break, every outcome, and every verb. */
export const EVERYTHING: readonly string[] = [
  ...CONSTRAINTS.map((constraint) => `refused by ${constraint}`),
  ...ACCEPTED.map((kind) => `accept ${kind}`),
  ...THROWN,
  ...FINDING.map((verb) => `${verb} found something`),
  ...['committed', 'stale', 'refused'].flatMap((kind) => [`${kind} alone`, `${kind} in a batch`]),
  ...[
    'usage',
    'hastenRefunds',
    'bindIdempotencyKey',
    'listQueue',
    'revokeKey',
    'liftFreeze',
    'moveEndedPayout',
    'addStepUp',
    'putQuote',
  ],
  'holdFeed found nothing',
  'the holder moves the position',
  'one who was overtaken does not move the position',
  'equal credits',
];

export interface Meetings {
  meet(what: string): void;
  /** The test must call this before the model applies the same operation. */
  note(operation: Operation, result: Result, tables: Tables): void;
  missing(expected: readonly string[]): readonly string[];
}

export function makeMeetings(): Meetings {
  const met = new Map<string, number>();
  const meet = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1);
  return {
    meet,
    note: (operation, result, tables) => {
      for (const what of whatOf(operation, result, tables)) meet(what);
    },
    missing: (expected) => expected.filter((what) => !met.has(what)),
  };
}

function whatOf({ verb, given }: Operation, result: Result, tables: Tables): string[] {
  if ('threw' in result) return [`${verb} threw ${result.threw}`];
  const { answer } = result;
  if (verb === 'accept') return [`accept ${(answer as { kind: string }).kind}`];
  if (verb === 'commit')
    return [...committed(given, answer as readonly CommitOutcome[]), ...position(given, tables)];
  const found = [verb, `${verb} found ${isNothing(answer) ? 'nothing' : 'something'}`];
  if (verb !== 'findCandidates') return found;
  const candidates = [...(answer as ReadonlyMap<string, { equalCredits: readonly string[] }>).values()];
  return candidates.some(({ equalCredits }) => equalCredits.length > 1) ? [...found, 'equal credits'] : found;
}

function committed(given: readonly unknown[], outcomes: readonly CommitOutcome[]): string[] {
  const where = (given[0] as readonly unknown[]).length > 1 ? 'in a batch' : 'alone';
  return outcomes.flatMap((outcome) => [
    `${outcome.kind} ${where}`,
    ...(outcome.kind === 'refused' ? [`refused by ${outcome.constraint}`] : []),
  ]);
}

function position([, feed]: readonly unknown[], { feeds }: Tables): string[] {
  if (feed === undefined) return [];
  const { hold } = feed as { hold: FeedLease };
  return feeds.get(hold.name)?.fence === hold.fence
    ? ['the holder moves the position']
    : ['one who was overtaken does not move the position'];
}

function isNothing(answer: unknown): boolean {
  if (answer instanceof Map || answer instanceof Set) return answer.size === 0;
  if (Array.isArray(answer)) return answer.every((each) => each === undefined);
  return answer === undefined || answer === false || answer === 0;
}
