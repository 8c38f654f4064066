// Gives operators the decrypted Travel-Rule records, as a list and as CSV.
import type {
  TravelRuleParties,
  TravelRuleParty,
  TravelRuleRecord,
} from '../../domain/travel-rule/travel-rule.ts';
import { lagosDayAndTime } from '../../domain/values/calendar.ts';
import { csvLine } from '../../domain/values/csv.ts';
import { formatDecimal } from '../../domain/values/money.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { TravelRuleFilter, TravelRuleStore } from '../../ports/travel-rule.ts';
import { travelRulePurpose } from './record-travel-rule-legs.ts';

export interface ListTravelRuleDeps {
  readonly travelRule: TravelRuleStore;
  readonly box: Pick<SecretBox, 'unseal'>;
}

const PAGE = 500;

/** Returns the oldest record first. Throws an error if the key file cannot open the records. */
export async function listTravelRuleRecords(
  { travelRule, box }: ListTravelRuleDeps,
  filter: TravelRuleFilter,
): Promise<readonly TravelRuleRecord[]> {
  const found = await travelRule.list(filter);
  return found.map(({ sealed, ...rest }) => {
    const text = Buffer.from(box.unseal(sealed, travelRulePurpose(rest.leg))).toString();
    return { ...rest, ...(JSON.parse(text) as TravelRuleParties) };
  });
}

export async function* streamTravelRuleRecords(
  deps: ListTravelRuleDeps,
  filter: Omit<TravelRuleFilter, 'after' | 'limit'>,
): AsyncGenerator<TravelRuleRecord> {
  for (let after: TravelRuleRecord | undefined; ; ) {
    const page = await listTravelRuleRecords(deps, { ...filter, after, limit: PAGE });
    yield* page;
    after = page.at(-1);
    if (after === undefined) return;
  }
}

const PARTY = ['name', 'bank', 'account_number', 'wallet', 'business_id', 'business_name'] as const;
const COLUMNS = [
  ...['leg', 'kind', 'mode', 'transaction_id', 'business_id', 'network', 'tx_hash', 'asset', 'amount_minor'],
  ...['naira', 'at'],
  ...PARTY.map((each) => `originator_${each}`),
  ...PARTY.map((each) => `beneficiary_${each}`),
  'at_lagos',
];

export const TRAVEL_RULE_CSV_HEAD = csvLine(COLUMNS);

/** Every cell of the row is safe in a spreadsheet (threat 79). */
export function travelRuleCsvRow(record: TravelRuleRecord): string {
  const { leg, kind, mode, transactionId, businessId, network, txHash, asset } = record;
  return csvLine([
    ...[leg, kind, mode, transactionId, businessId, network, txHash, asset, String(record.amountMinor)],
    ...[formatDecimal(record.nairaMinor, 2), new Date(record.atMs).toISOString()],
    ...partyCells(record.originator),
    ...partyCells(record.beneficiary),
    lagosDayAndTime(record.atMs),
  ]);
}

function partyCells({ name, bankName, accountNumber, wallet, business }: TravelRuleParty) {
  return [name, bankName, accountNumber, wallet, business?.id, business?.name];
}
