// Reads all stored data of the model and of PostgreSQL in one shape: sorted lists, so that a test can compare the two
// completely.
import { hash } from 'node:crypto';
import type { Database } from '../../../../src/adapters/postgres/connection/database.ts';
import { QUOTE_COLUMNS, toQuote } from '../../../../src/adapters/postgres/quotes/rows.ts';
import {
  OPEN_CLAIM_STATES,
  OPEN_CLAIM_STATES_SQL,
} from '../../../../src/adapters/postgres/reads/candidates.ts';
import {
  ATTEMPTS,
  CREDITS,
  DEPOSITS,
  MOVEMENTS,
  NOTICES,
  REPORTS,
  type RowReader,
} from '../../../../src/adapters/postgres/reads/settlement-rows.ts';
import {
  TRANSACTION_COLUMNS,
  TRANSACTIONS,
  toTransaction,
} from '../../../../src/adapters/postgres/reads/transaction-rows.ts';
import { PROPOSALS } from '../../../../src/adapters/postgres/review/proposal-store.ts';
import { formatLedgerAccount } from '../../../../src/domain/records/naira-move.ts';
import { asRead } from '../reads.ts';
import type { Tables } from '../tables.ts';

export type State = Readonly<Record<string, readonly unknown[]>>;

export interface Play {
  readonly transactionId: string;
  readonly scenario: string;
  readonly atMs: number;
}

const ms = (column: string, as: string) => `(extract(epoch from ${column}) * 1000)::float8 as "${as}"`;

// biome-ignore lint/suspicious/noExplicitAny: the columns are listed beside each reader
type Rows = <Row>(text: string, read: (row: any) => Row) => Promise<Row[]>;

const same = (row: unknown) => row;
const minor = (name: string) => (row: Record<string, unknown>) => ({
  ...row,
  [name]: BigInt(row[name] as string),
});

export async function databaseState(database: Database): Promise<State> {
  const rows: Rows = async (text, read) =>
    (await database.query({ name: `state ${hash('md5', text)}`, text })).rows.map(read);
  return inOrder({ ...(await recordRows(rows)), ...(await ledgerRows(rows)), ...(await markRows(rows)) });
}

async function recordRows(rows: Rows): Promise<State> {
  const all = <Row>({ table, columns, read }: RowReader<Row>) =>
    rows(`select ${columns} from ${table}`, read);
  return {
    transactions: await rows(`select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS}`, toTransaction),
    accepted: await rows('select id, body_hash as "bodyHash", key_id as "keyId" from transactions', same),
    quotes: await rows(`select ${QUOTE_COLUMNS} from quotes q`, toQuote),
    openClaims: await rows(
      `select transaction_id as id from open_claims join transaction_states using (transaction_id)
        where state in ${OPEN_CLAIM_STATES_SQL}`,
      same,
    ),
    timeline: await rows(
      `select transaction_id as "transactionId", version, from_state as "from", to_state as "to", actor, reason, evidence,
        ${ms('at', 'atMs')} from timeline`,
      same,
    ),
    credits: await all(CREDITS),
    deposits: await all(DEPOSITS),
    movements: await all(MOVEMENTS),
    notices: await all(NOTICES),
    reports: await all(REPORTS),
    creditSources: await rows('select mode, account, source, others, version from credit_sources', same),
    attempts: await rows(
      `select ${ATTEMPTS.columns} from movement_attempts a left join movement_attempts lead on a.envelope_index > 0
        and lead.mode = a.mode and lead.network = a.network and lead.reference = a.reference and lead.envelope_index = 0`,
      ATTEMPTS.read,
    ),
  };
}

async function ledgerRows(rows: Rows): Promise<State> {
  return {
    accounts: await rows('select key, balance from accounts', minor('balance')),
    entries: await rows(
      `select event, subject_id as "subjectId", mode, ${ms('e.at', 'atMs')},
        array(select a.key || ' ' || p.amount_minor from postings p join accounts a on a.id = p.account_id
          where p.entry_id = e.id order by a.key) as postings from entries e`,
      same,
    ),
    matches: await rows(
      `select credit_id as "creditId", version, transaction_id as "transactionId", rule_version as "ruleVersion", verdict,
        candidates, actor from match_decisions`,
      same,
    ),
    usage: await rows(
      `select business_id as "businessId", mode, period, used_minor as "usedMinor", limit_minor as "limitMinor"
        from limit_usage`,
      (row) => minor('limitMinor')(minor('usedMinor')(row)),
    ),
  };
}

async function markRows(rows: Rows): Promise<State> {
  return {
    feeds: await rows(
      `select name, position, holder, ${ms('held_until', 'heldUntilMs')}, fence::int from feeds`,
      same,
    ),
    quarantine: await rows(`select id, mode, source, reason, raw, ${ms('at', 'atMs')} from quarantine`, same),
    cases: await rows(
      `select id, kind, mode, business_id as "businessId", transaction_id as "transactionId", credit_id as "creditId",
        movement_id as "movementId", about, amount_minor as "amountMinor", ${ms('opened_at', 'openedAtMs')}, outcome,
        ${ms('closed_at', 'closedAtMs')} from cases`,
      minor('amountMinor'),
    ),
    endedPayouts: await rows(
      `select movement_id as "movementId", no, mode, rail, reference, paid, ${ms('ended_at', 'endedAtMs')}, looks, said,
        version, ${ms('due_at', 'dueAtMs')} from ended_payouts`,
      same,
    ),
    freezes: await rows(
      `select business_id as "businessId", mode, reason, ${ms('at', 'atMs')} from freezes`,
      same,
    ),
    nairaMoves: await rows(
      `select id, mode, kind, charge, account, to_account as "toAccount", amount_minor as "amountMinor", day::text,
        reference from naira_moves`,
      minor('amountMinor'),
    ),
    proposals: await rows(PROPOSALS.select, PROPOSALS.read),
    idempotencyKeys: await rows(
      `select business_id as "businessId", mode, key, request_hash as "requestHash", transaction_id as "transactionId",
        ${ms('created_at', 'createdAtMs')} from idempotency_keys`,
      same,
    ),
    depositTargets: await rows(
      'select mode, network, address, memo, transaction_id as "transactionId" from deposit_targets',
      same,
    ),
    plays: await rows(
      `select transaction_id as "transactionId", scenario, ${ms('due_at', 'atMs')} from simulated_plays`,
      same,
    ),
  };
}

export function modelState(tables: Tables, plays: readonly Play[]): State {
  return inOrder({
    transactions: [...tables.transactions.values()],
    accepted: [...tables.accepted].map(([id, facts]) => ({ id, ...facts })),
    quotes: [...tables.quotes.values()],
    openClaims: [...tables.transactions.values()]
      .filter(({ type, state }) => type === 'buy' && OPEN_CLAIM_STATES.has(state))
      .map(({ id }) => ({ id })),
    timeline: [...tables.timeline].flatMap(([transactionId, lines]) =>
      lines.map((line) => ({ transactionId, ...line })),
    ),
    credits: [...tables.credits.values()],
    deposits: [...tables.deposits.values()],
    movements: [...tables.movements.values()],
    notices: [...tables.notices.values()],
    reports: [...tables.reports.values()],
    creditSources: [...tables.creditSources].map(([name, rule]) => {
      const [mode, account] = name.split('\n');
      return { mode, account, ...rule };
    }),
    attempts: [...tables.attempts.values()].flat().map((each) => asRead(tables, each)),
    accounts: [...tables.accounts].map(([key, balance]) => ({ key, balance })),
    entries: tables.entries.map(({ postings, ...entry }) => ({
      ...entry,
      postings: postings
        .toSorted((a, b) => (a.account < b.account ? -1 : 1))
        .map((each) => `${each.account} ${each.amountMinor}`),
    })),
    matches: [...tables.matches.values()].flat(),
    usage: [...tables.usage.values()],
    feeds: [...tables.feeds.values()],
    quarantine: tables.quarantine,
    cases: [
      ...[...tables.cases.values()].map((each) => ({ ...each, outcome: null, closedAtMs: null })),
      ...tables.closedCases.values(),
    ].map(({ movementId = null, about = null, ...each }) => ({ ...each, movementId, about })),
    endedPayouts: [...tables.endedPayouts.values()],
    freezes: [...tables.freezes.values()],
    nairaMoves: [...tables.nairaMoves.values()].map(({ account, to, charge, nairaMinor, ...move }) => ({
      ...{ ...move, charge: charge ?? '', amountMinor: nairaMinor, account: formatLedgerAccount(account) },
      toAccount: to === null ? null : formatLedgerAccount(to),
    })),
    proposals: [...tables.proposals.values()],
    idempotencyKeys: [...tables.idempotencyKeys.values()],
    depositTargets: [...tables.depositTargets].map(([target, transactionId]) => {
      const [mode, network, address, memo] = target.split('\n');
      return { mode, network, address, memo, transactionId };
    }),
    plays,
  });
}

function inOrder(state: State): State {
  return Object.fromEntries(
    Object.entries(state).map(([name, list]) => [
      name,
      list
        .map((item) => ({ item, text: shown(item) }))
        .sort((a, b) => (a.text < b.text ? -1 : 1))
        .map(({ item }) => item),
    ]),
  );
}

export function shown(value: unknown): string {
  return JSON.stringify(value, (_key, field) => {
    if (typeof field === 'bigint') return `${field}n`;
    if (field instanceof Map) return [...field];
    if (field instanceof Set) return [...field];
    if (field === null || typeof field !== 'object' || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
