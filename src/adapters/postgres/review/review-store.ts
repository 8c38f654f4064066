// Stores proposals in PostgreSQL and reads the queues of reviewers. Every queue has a partial index, so the cost of reading it
// depends only on the waiting rows.
import type { Proposal } from '../../../domain/review/proposal.ts';
import { MODES, type Mode } from '../../../domain/values/mode.ts';
import type {
  CaseInReview,
  CreditInReview,
  ReviewStore,
  UnknownPayout,
} from '../../../ports/review-store.ts';
import type { Database } from '../connection/database.ts';
import { type AnyRow, CREDITS, DEPOSITS, MOVEMENTS, NOTICES, REPORTS } from '../reads/settlement-rows.ts';
import { JOIN_FACTS, TRANSACTION_COLUMNS, toTransaction } from '../reads/transaction-rows.ts';
import { makeBankBooks, makeFundings } from './bank-books.ts';
import { IN_GROUP, readOpenCasesOfFile } from './file-cases.ts';
import { PROPOSALS, proposalDetail } from './proposal-store.ts';

const REVIEWS = `${PROPOSALS.select} where p.kind = 'review' and`;
const OLDEST = 'order by id limit $2';

const CASE_COLUMNS = `id, kind, mode, business_id as "businessId", transaction_id as "transactionId",
    credit_id as "creditId", movement_id as "movementId", about, amount_minor as "amountMinor",
    (extract(epoch from opened_at) * 1000)::float8 as "openedAtMs"`;
const ON_HOLD = `select ${TRANSACTION_COLUMNS} from (
    select * from transaction_states where listed = 'on_hold' and mode = $1 order by transaction_id limit $2) s
  ${JOIN_FACTS} order by s.transaction_id`;
const IN_REVIEW = `select c.*, d.candidates from (
    select ${CREDITS.columns} from bank_credits where state = 'review' and mode = $1 ${OLDEST}) c
  left join lateral (select candidates from match_decisions m where m.credit_id = c.id
    order by m.version desc limit 1) d on true
  order by c.id`;
const IN_SUSPENSE = `select ${DEPOSITS.columns} from deposits where state = 'suspense' and mode = $1 ${OLDEST}`;
/** A refund that was replaced by another refund, or was cancelled, needs no reviewer. */
export const STUCK_REFUNDS = `kind = 'refund' and (state = 'failed' or (state = 'pending' and destination is null))
  and (state = 'pending' or (coalesce(reason, '') not like 'replaced by %' and reason is distinct from 'credit_reversed'))`;
const REFUNDS = `select ${MOVEMENTS.columns} from movements where ${STUCK_REFUNDS} and mode = $1 ${OLDEST}`;
const NOTICES_IN_REVIEW = `select ${NOTICES.columns} from bank_notices where state = 'review' and mode = $1 ${OLDEST}`;
const CASES = `select ${CASE_COLUMNS} from cases c where closed_at is null and mode = $1 and not ${IN_GROUP} ${OLDEST}`;
const SET_ASIDE = `select id, mode, source, reason, (extract(epoch from at) * 1000)::float8 as "atMs"
  from quarantine where mode = $1 order by id desc limit $2`;

export const UNKNOWN_PAYOUT_MS = 24 * 3_600_000;
/**
 * `$1` is the mode. The time counts from the start of the last attempt, because a refund may have waited a long time before
 * that. A payout that a rail reports as pending also counts as unknown. A payout that needs people is shown at once.
 */
export const unknownSince = (
  time: string,
) => `network is null and state in ('sending', 'unknown') and mode = $1 and exists (
  select from movement_attempts a where a.movement_id = movements.id and a.no = movements.attempts
    and (a.at < ${time} or a.evidence->>'needs_people' = 'true'))`;
const UNKNOWN = `select m.*, array(
    select jsonb_build_object('no', a.no, 'rail', a.rail, 'reference', a.reference, 'state', a.state, 'evidence', a.evidence,
      'atMs', (extract(epoch from a.at) * 1000)::float8, 'updatedAtMs', (extract(epoch from a.updated_at) * 1000)::float8)
    from movement_attempts a where a.movement_id = m.id order by a.no) as tried
  from (select ${MOVEMENTS.columns} from movements
    where ${unknownSince('to_timestamp($3::float8 / 1000)')} ${OLDEST}) m order by m.id`;

const MEANING = `select ${CREDITS.columns} from bank_credits c
  where c.account_number = $1 and c.mode = $2 and c.state in ('unmatched', 'review')
    and (c.transaction_id = $3 or exists (
      select from match_decisions d where d.credit_id = c.id and d.verdict -> 'transactionIds' ? $3
        and d.verdict ->> 'exception' <> 'other_account'))
  order by id`;

export function makeReviewStore(database: Database, unknownPayoutMs = UNKNOWN_PAYOUT_MS): ReviewStore {
  const rows: Rows = async (name, text, values) =>
    (await database.query<AnyRow>({ name, text, values })).rows;
  const byMode = async <T>(
    name: string,
    text: string,
    limit: number,
    mode: Mode | undefined,
    read: (row: AnyRow) => T,
  ): Promise<T[]> => {
    const found: T[] = [];
    for (const each of mode === undefined ? MODES : [mode]) {
      found.push(...(await rows(name, text, [each, limit])).map(read));
    }
    return found;
  };
  return {
    ...makeBankBooks(database),
    ...makeFundings(database),
    addProposal: (proposal) => addProposal(database, proposal),
    findProposal: async (id) => {
      const [row] = await rows('find-proposal', `${REVIEWS} p.id = $1`, [id]);
      return row && PROPOSALS.read(row);
    },
    // Reviewers make proposals by hand, so the open proposals are few enough to read all of them.
    listOpenProposals: async (mode) => {
      const text = `${REVIEWS} d.proposal_id is null and p.mode = any ($1::text[]) order by p.id`;
      return (await rows('open-proposals', text, [mode === undefined ? MODES : [mode]])).map(PROPOSALS.read);
    },
    openProposalsOn: async (subjectId) => {
      const text = `${REVIEWS} d.proposal_id is null and p.subject_id = $1 order by p.id`;
      return (await rows('open-proposals-on', text, [subjectId])).map(PROPOSALS.read);
    },
    listQueue: async (limit, mode) => ({
      transactions: await byMode('queue-transactions', ON_HOLD, limit, mode, toTransaction),
      credits: await byMode('queue-credits', IN_REVIEW, limit, mode, readCredit),
      deposits: await byMode('queue-deposits', IN_SUSPENSE, limit, mode, DEPOSITS.read),
      refunds: await byMode('queue-refunds', REFUNDS, limit, mode, MOVEMENTS.read),
      notices: await byMode('queue-notices', NOTICES_IN_REVIEW, limit, mode, NOTICES.read),
      cases: await byMode('queue-cases', CASES, limit, mode, readCase),
      quarantined: await byMode('queue-quarantined', SET_ASIDE, limit, mode, (row) => row),
    }),
    unknownPayouts: async (atMs, limit, mode) => {
      const found: UnknownPayout[] = [];
      for (const each of mode === undefined ? MODES : [mode]) {
        const values = [each, limit, atMs - unknownPayoutMs];
        for (const { tried, ...row } of await rows('unknown-payouts', UNKNOWN, values))
          found.push({ ...MOVEMENTS.read(row), tried });
      }
      return found;
    },
    creditsMeaning: async ({ id, mode, vendor }) =>
      (await rows('credits-meaning', MEANING, [vendor?.number ?? '', mode, id])).map(CREDITS.read),
    openCasesOfFile: (fileId, limit) => readOpenCasesOfFile(database, fileId, limit),
    ...recordReads(rows),
  };
}

type Rows = (name: string, text: string, values: unknown[]) => Promise<AnyRow[]>;

function recordReads(
  rows: Rows,
): Pick<ReviewStore, 'depositById' | 'noticeById' | 'reportById' | 'caseById' | 'openCasesOn'> {
  return {
    depositById: async (id) => {
      const text = `select ${DEPOSITS.columns} from deposits where id = $1`;
      const [row] = await rows('deposit-by-id', text, [id]);
      return row && DEPOSITS.read(row);
    },
    noticeById: async (id) => {
      const text = `select ${NOTICES.columns} from bank_notices where id = $1`;
      const [row] = await rows('notice-by-id', text, [id]);
      return row && NOTICES.read(row);
    },
    reportById: async (id) => {
      const [row] = await rows(
        'report-by-id',
        `select ${REPORTS.columns} from credit_reports where id = $1`,
        [id],
      );
      return row && REPORTS.read(row);
    },
    caseById: async (id) => {
      const text = `select ${CASE_COLUMNS}, outcome, (extract(epoch from closed_at) * 1000)::float8 as "closedAtMs"
        from cases where id = $1`;
      const [row] = await rows('case-by-id', text, [id]);
      return row && { ...readCase(row), outcome: row.outcome, closedAtMs: row.closedAtMs };
    },
    openCasesOn: async (movementIds) => {
      const text = `select ${CASE_COLUMNS} from cases where movement_id = any ($1::text[]) and closed_at is null order by id`;
      return (await rows('open-cases-on', text, [movementIds])).map(readCase);
    },
  };
}

async function addProposal(database: Database, proposal: Proposal): Promise<void> {
  const { id, mode, request, proposedBy, proposedAtMs } = proposal;
  await database.query({
    name: 'add-proposal',
    text: `insert into proposals (id, mode, action, subject_id, detail, proposed_by, proposed_at)
      values ($1, $2, $3, $4, $5::jsonb, $6, to_timestamp($7::float8 / 1000))`,
    values: [
      ...[id, mode, request.action, request.subjectId, JSON.stringify(proposalDetail(proposal))],
      ...[proposedBy, proposedAtMs],
    ],
  });
}

function readCredit({ candidates, ...row }: AnyRow): CreditInReview {
  return { ...CREDITS.read(row), candidates: candidates ?? [] };
}

function readCase({ movementId, about, ...row }: AnyRow): CaseInReview {
  return {
    ...row,
    amountMinor: BigInt(row.amountMinor),
    ...(movementId !== null && { movementId }),
    ...(about !== null && { about }),
  };
}
