// Finds everything that the service stores about one customer: rows that contain their data, and rows that belong to the same
// transactions and bank credits.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import { isSameName, type PersonQuery } from '../../domain/privacy/person-query.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import type { TravelRuleRecord } from '../../domain/travel-rule/travel-rule.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { PersonalRow, PersonalRowKeys, PrivacyStore } from '../../ports/privacy.ts';
import { type ListTravelRuleDeps, streamTravelRuleRecords } from '../travel-rule/list-travel-rule-records.ts';

export interface FindPersonDeps extends ListTravelRuleDeps {
  readonly privacy: PrivacyStore;
  readonly banks: BankDirectory;
}

export interface PersonInput {
  readonly account?: string | undefined;
  readonly bank?: string | undefined;
  readonly name?: string | undefined;
}

export interface PersonRecords {
  readonly rows: readonly PersonalRow[];
  readonly travelRule: readonly TravelRuleRecord[];
  /** For each table, the ids of the rows that contain the account number and are never erased. */
  readonly kept: Readonly<Record<string, readonly string[]>>;
}

export function parsePersonQuery(
  banks: BankDirectory,
  given: PersonInput,
): Result<PersonQuery, ReviewRefusal> {
  const account = given.account?.replaceAll(/[\s-]/g, '') ?? null;
  if (account !== null && !/^[0-9]{10}$/.test(account))
    return refuse('invalid', 'The account number must be 10 digits.');
  const name = given.name?.trim() ?? null;
  if (name === '') return refuse('invalid', 'The name is empty.');
  if (account === null && name === null)
    return refuse('invalid', 'Use the account number or the name of the person.');
  if (given.bank === undefined) return ok({ account, bankCode: null, name });
  const bank = banks.resolve(given.bank);
  if (bank === undefined) return refuse('invalid', `There is no bank "${given.bank}" in the bank directory.`);
  return ok({ account, bankCode: bank.code, name });
}

export async function findPerson(
  deps: FindPersonDeps,
  person: PersonQuery,
  mode: Mode | null,
): Promise<PersonRecords> {
  const named = await deps.privacy.find(person, mode);
  const related = await deps.privacy.rowsOf(recordsOf(named));
  // A credit that was found only by its transaction has rows of its own, such as the line of a statement.
  const further = await deps.privacy.rowsOf({ ...recordsOf(related), keys: [] });
  const all = [...named, ...related, ...further];
  const rows = new Map(all.map((row) => [`${row.place} ${row.key.join(' ')}`, row]));
  const travelRule: TravelRuleRecord[] = [];
  for await (const record of streamTravelRuleRecords(deps, { mode: mode ?? undefined }))
    if (isParty(record, person)) travelRule.push(record);
  const kept = person.account === null ? {} : await deps.privacy.kept(person.account);
  return { rows: [...rows.values()], travelRule, kept };
}

/** A row that stands alone, such as a line of a log, leads to no other row: it may be about another person's transaction. */
function recordsOf(rows: readonly PersonalRow[]): PersonalRowKeys {
  const records = rows.filter(({ standsAlone }) => !standsAlone);
  return {
    transactionIds: distinct(records.map(({ transactionId }) => transactionId)),
    creditIds: distinct(records.map(({ creditId }) => creditId)),
    keys: rows.filter((row) => row.standsAlone || (row.transactionId === null && row.creditId === null)),
  };
}

function distinct(ids: readonly (string | null)[]): readonly string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

function isParty({ originator, beneficiary }: TravelRuleRecord, { account, name }: PersonQuery): boolean {
  return [originator, beneficiary].some((party) =>
    account === null
      ? party.name !== null && isSameName(party.name, name!)
      : party.accountNumber === account ||
        (name !== null &&
          party.accountNumber === null &&
          party.name !== null &&
          isSameName(party.name, name)),
  );
}
