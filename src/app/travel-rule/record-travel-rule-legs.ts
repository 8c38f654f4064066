// Writes the Travel-Rule records of completed transfers from committed records. The worker follows the event log, because every
// completed transfer wrote a timeline line in the same commit. If the worker reads a page twice, it still writes each record
// once.
import {
  type TravelRuleParties,
  type TravelRuleRecord,
  travelRuleRecords,
} from '../../domain/travel-rule/travel-rule.ts';
import type { EventLog, LogReaders } from '../../ports/events.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { ReadStore } from '../../ports/store/reads.ts';
import type { SealedTravelRuleRecord, TravelRuleStore } from '../../ports/travel-rule.ts';

export interface RecordTravelRuleLegsDeps {
  readonly store: Pick<ReadStore, 'transactionsById' | 'movementsOf' | 'depositsOf' | 'creditsOf'>;
  readonly eventLog: Pick<EventLog, 'read'>;
  readonly logReaders: LogReaders;
  readonly travelRule: TravelRuleStore;
  readonly box: Pick<SecretBox, 'seal'>;
  readonly minimumMinor: bigint;
}

const LOG_READER = 'travel_rule';
const PAGE = 500;

export async function recordTravelRuleLegs(deps: RecordTravelRuleLegsDeps): Promise<number> {
  let written = 0;
  for (let atEnd = false; !atEnd; ) {
    const from = await deps.logReaders.position(LOG_READER);
    const page = await deps.eventLog.read(from, PAGE);
    // Before its first transfer, a transaction has no hash and has received no tokens.
    const ids = page.events.flatMap((event) =>
      event.kind === 'transaction' && event.transaction.txHash !== null ? [event.transaction.id] : [],
    );
    written += await deps.travelRule.add(await buildRecords(deps, [...new Set(ids)]));
    if (page.position !== from) await deps.logReaders.move(LOG_READER, from, page.position);
    atEnd = page.atEnd;
  }
  return written;
}

async function buildRecords(
  { store, travelRule, box, minimumMinor }: RecordTravelRuleLegsDeps,
  ids: readonly string[],
): Promise<readonly SealedTravelRuleRecord[]> {
  const transactions = [...(await store.transactionsById(ids)).values()].filter(
    ({ amountMinor, receivedMinor }) => amountMinor >= minimumMinor || receivedMinor >= minimumMinor,
  );
  if (transactions.length === 0) return [];
  const kept = transactions.map(({ id }) => id);
  const [movements, deposits, credits, names] = await Promise.all([
    store.movementsOf(kept),
    store.depositsOf(kept),
    store.creditsOf(kept),
    travelRule.businessNames([...new Set(transactions.map(({ businessId }) => businessId))]),
  ]);
  const records = transactions.flatMap((transaction) => {
    const own = ({ transactionId }: { readonly transactionId: string | null }) =>
      transactionId === transaction.id;
    const facts = {
      transaction,
      businessName: names.get(transaction.businessId) ?? transaction.businessId,
      ...{ movements: movements.filter(own), deposits: deposits.filter(own), credits: credits.filter(own) },
    };
    return travelRuleRecords(facts, minimumMinor);
  });
  return records.map((record) => sealRecord(box, record));
}

function sealRecord(
  box: Pick<SecretBox, 'seal'>,
  { originator, beneficiary, ...rest }: TravelRuleRecord,
): SealedTravelRuleRecord {
  const parties: TravelRuleParties = { originator, beneficiary };
  return { ...rest, sealed: box.seal(Buffer.from(JSON.stringify(parties)), travelRulePurpose(rest.leg)) };
}

/** The purpose contains the leg, so that the sealed data of one record cannot be used in another record. */
export function travelRulePurpose(leg: string): string {
  return `travel rule ${leg}`;
}
