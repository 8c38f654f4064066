// Opens the model and PostgreSQL together, with the same businesses and keys. Each operation is applied to both.
import { makeBackOffice } from '../../../../src/adapters/postgres/back-office/back-office.ts';
import type { Database } from '../../../../src/adapters/postgres/connection/database.ts';
import { makeReviewStore } from '../../../../src/adapters/postgres/review/review-store.ts';
import { makePostgresStore } from '../../../../src/adapters/postgres/store.ts';
import { UNNAMED_FULL_KEY } from '../../../../src/domain/catalogue/secret-keys.ts';
import type { Quote } from '../../../../src/domain/quotes/quote.ts';
import type { BackOffice, SettingWrites } from '../../../../src/ports/back-office.ts';
import { openTestDatabase } from '../../../http/store-fixtures.ts';
import { freshDatabase } from '../../../support/database.ts';
import { type Model, makeModel, type SyncCore } from '../model.ts';
import type { ModelStepUp } from '../tables.ts';
import type { Operation, Verb } from './operation.ts';
import type { Play } from './state.ts';
import { BUSINESSES, KEYS, KNOWN_PEOPLE, START_MS } from './world.ts';

type Real = { readonly [Named in Verb]: (...given: never[]) => Promise<unknown> };

export interface Stage {
  readonly model: Model;
  readonly plays: Play[];
  readonly database: Database;
  readonly real: readonly Real[];
}

/**
 * The result of an operation is its answer. If the port does not define an outcome for a violated database rule, the result is
 * the name of that rule.
 */
export type Result = { readonly answer: unknown } | { readonly threw: string };

const DOING = { actor: 'test', atMs: START_MS };

export async function openStage(processes = 1): Promise<Stage> {
  const url = await freshDatabase();
  const database = openTestDatabase(url, 2);
  const backOffice = makeBackOffice(database);
  for (const id of BUSINESSES)
    await backOffice.addBusiness({ id, name: id, linkTag: id.replace('_', '-'), sandbox: false }, DOING);
  for (const { id, businessId, mode } of KEYS)
    await backOffice.addKey(
      { id, businessId, mode, hash: `hash of ${id}`, hint: 'sk', ...UNNAMED_FULL_KEY },
      DOING,
    );
  for (const id of KNOWN_PEOPLE) await addPerson(database, id);
  const plays: Play[] = [];
  const onScenario = (transactionId: string, scenario: string, atMs: number) => {
    plays.push({ transactionId, scenario, atMs });
  };
  const real = Array.from({ length: processes }, () =>
    processOn(openTestDatabase(url, processes === 1 ? 1 : 3), backOffice),
  );
  return { model: makeModel({ keys: KEYS, people: KNOWN_PEOPLE, onScenario }), plays, database, real };
}

function processOn(database: Database, backOffice: BackOffice & SettingWrites): Real {
  return {
    ...makePostgresStore(database),
    ...makeReviewStore(database),
    revokeKey: async (id: string) => {
      await backOffice.revokeKey(id, DOING);
    },
    liftFreeze: (businessId: string, mode: 'live' | 'test') =>
      backOffice.liftFreeze(businessId, mode, 'x', DOING),
    trustRail: async (rail: string, mode: 'live' | 'test') => {
      const text = 'delete from rail_doubts where rail = $1 and mode = $2';
      return (await database.query({ text, values: [rail, mode] })).rowCount === 1;
    },
    setSource: (mode: 'live' | 'test', account: string, source: string) =>
      backOffice.setCreditSource({ mode, account, source }, DOING),
    putQuote: async (quote: Quote) => {
      await database.query({
        text: `insert into quotes (id, business_id, mode, side, amount_minor, currency, naira_minor, fee_minor, rate_e4,
            sources, created_at, expires_at)
          values ($1, $2, $3, $4, $5, 'NGN', $5, 0, 10000, '[]', to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000))`,
        values: [
          ...[quote.id, quote.businessId, quote.mode, quote.side, quote.amountMinor.toString()],
          ...[quote.createdAtMs, quote.expiresAtMs],
        ],
      });
    },
    addStepUp: async ({ id, personId, subjectId, atMs }: ModelStepUp) => {
      await database.query({
        text: `insert into step_ups (id, person_id, session_id, subject_id, at)
          values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))`,
        values: [id, personId, sessionOf(personId), subjectId, atMs],
      });
    },
  };
}

async function addPerson(database: Database, id: string): Promise<void> {
  await database.query({
    text: 'insert into people (id, email, name, created_at) values ($1, $2, $3, now())',
    values: [id, `${id}@x.test`, id],
  });
  await database.query({
    text: `insert into operator_roles (person_id, role) values ($1, 'admin')`,
    values: [id],
  });
  await database.query({
    text: `insert into sessions (id, person_id, token_hash, rotated_at, surface, address, user_agent, created_at, seen_at,
        expires_at)
      values ($1, $2, $1, now(), 'command_line', '', '', now(), now(), now())`,
    values: [sessionOf(id), id],
  });
}

function sessionOf(personId: string): string {
  return `ses of ${personId}`;
}

export async function doneFor(real: Real, { verb, given }: Operation): Promise<Result> {
  try {
    return { answer: await real[verb](...(given as never[])) };
  } catch (error) {
    return { threw: constraintOf(error) };
  }
}

export function doneTo(core: SyncCore, { verb, given }: Operation): Result {
  try {
    return { answer: (core[verb] as (...given: readonly unknown[]) => unknown)(...given) };
  } catch (error) {
    return { threw: constraintOf(error) };
  }
}

function constraintOf(error: unknown): string {
  const { constraint } = error as { constraint?: string };
  if (constraint === undefined) throw error;
  return constraint;
}

/** The order of these results has no meaning, so they are sorted. */
const UNORDERED: ReadonlySet<Verb> = new Set<Verb>([
  'leaseTransactions',
  'leaseCredits',
  'leaseDeposits',
  'leaseMovements',
  'leaseNotices',
  'leaseReports',
  'movementsOf',
]);

export function comparable({ verb }: Operation, result: Result): Result {
  if ('threw' in result) return result;
  const { answer } = result;
  if (UNORDERED.has(verb)) return { answer: sorted(answer as readonly { id: string }[]) };
  if (verb === 'creditsLike') return { answer: likeInOrder(answer as never) };
  if (verb === 'claimsOfAmount') {
    const ofEach = answer as ReadonlyMap<string, readonly { id: string }[]>;
    return { answer: new Map([...ofEach].map(([id, claims]) => [id, sorted(claims)])) };
  }
  if (verb !== 'findCandidates') return result;
  const found = answer as ReadonlyMap<string, { claims: readonly { id: string }[] }>;
  return { answer: new Map([...found].map(([id, each]) => [id, { ...each, claims: sorted(each.claims) }])) };
}

type Like = ReadonlyMap<
  string,
  readonly { readonly credit: { id: string }; readonly reportedBy: readonly string[] }[]
>;

function likeInOrder(found: Like): Like {
  const inOrder = [...found].map(
    ([id, each]) =>
      [
        id,
        each
          .map(({ credit, reportedBy }) => ({ credit, reportedBy: reportedBy.toSorted() }))
          .toSorted((a, b) => (a.credit.id < b.credit.id ? -1 : 1)),
      ] as const,
  );
  return new Map(inOrder.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function sorted<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
