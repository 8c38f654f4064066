// The root, the ledgers and the fee statistics in Horizon's format.
import { type ClosedLedger, makeToid } from '../history.ts';
import { BASE_FEE_STROOPS, BASE_RESERVE_STROOPS } from '../state.ts';
import { amountText, type HorizonJson, linkTo, pagedLinkTo, timeText } from './format.ts';
import type { HorizonProvider } from './provider.ts';

const PROTOCOL = 22;
const TOTAL_LUMENS = '100000000000.0000000';
const STATISTICS_LEDGERS = 5;

export function rootRecord(provider: HorizonProvider): HorizonJson {
  const { base, ledger, latest } = provider;
  return {
    _links: { self: linkTo(base, '/') },
    horizon_version: 'sliproad-local',
    core_version: 'sliproad-local',
    ingest_latest_ledger: latest.sequence,
    history_latest_ledger: latest.sequence,
    history_latest_ledger_closed_at: timeText(latest.closeTime),
    history_elder_ledger: 1,
    core_latest_ledger: ledger.latest.sequence,
    network_passphrase: ledger.passphrase,
    current_protocol_version: PROTOCOL,
    supported_protocol_version: PROTOCOL,
    core_supported_protocol_version: PROTOCOL,
  };
}

export function ledgerRecord(base: string, ledger: ClosedLedger): HorizonJson {
  const own = `/ledgers/${ledger.sequence}`;
  const successful = ledger.transactions.filter((transaction) => transaction.successful);
  const operations = (list: typeof successful) =>
    list.reduce((sum, { operations: all }) => sum + all.length, 0);
  return {
    _links: {
      self: linkTo(base, own),
      transactions: pagedLinkTo(base, `${own}/transactions`),
      operations: pagedLinkTo(base, `${own}/operations`),
      payments: pagedLinkTo(base, `${own}/payments`),
      effects: pagedLinkTo(base, `${own}/effects`),
    },
    id: ledger.hash,
    paging_token: makeToid(ledger.sequence, 0, 0).toString(),
    hash: ledger.hash,
    prev_hash: ledger.previousHash,
    sequence: ledger.sequence,
    successful_transaction_count: successful.length,
    failed_transaction_count: ledger.transactions.length - successful.length,
    operation_count: operations(successful),
    tx_set_operation_count: operations([...ledger.transactions]),
    closed_at: timeText(ledger.closeTime),
    total_coins: TOTAL_LUMENS,
    fee_pool: amountText(ledger.feePool),
    base_fee_in_stroops: Number(BASE_FEE_STROOPS),
    base_reserve_in_stroops: Number(BASE_RESERVE_STROOPS),
    max_tx_set_size: 1000,
    protocol_version: PROTOCOL,
  };
}

function feeDistribution(perOperation: readonly bigint[]): HorizonJson {
  const sorted = [...perOperation].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const at = (percent: number) =>
    (sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? BASE_FEE_STROOPS).toString();
  const counts = new Map<bigint, number>();
  for (const fee of sorted) counts.set(fee, (counts.get(fee) ?? 0) + 1);
  const most = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? BASE_FEE_STROOPS;
  const steps = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99];
  return {
    max: at(100),
    min: at(0),
    mode: most.toString(),
    ...Object.fromEntries(steps.map((percent) => [`p${percent}`, at(percent)])),
  };
}

export function feeStatistics(provider: HorizonProvider): HorizonJson {
  const { ledgers } = provider.ledger.history;
  const recent = ledgers.slice(Math.max(0, provider.upTo - STATISTICS_LEDGERS), provider.upTo);
  const transactions = recent.flatMap((ledger) => ledger.transactions);
  // A full ledger also contains transactions of other users, who do not exist here. Every transaction of such a ledger paid the
  // ledger's fee.
  const others = recent.map(({ feePerOperation }) => feePerOperation).filter((fee) => fee > BASE_FEE_STROOPS);
  return {
    last_ledger: String(provider.upTo),
    last_ledger_base_fee: BASE_FEE_STROOPS.toString(),
    ledger_capacity_usage: others.length > 0 ? '1.00' : '0.01',
    fee_charged: feeDistribution([
      ...others,
      ...transactions.map((t) => t.verdict.feeCharged / t.envelope.feeUnits),
    ]),
    max_fee: feeDistribution([
      ...others,
      ...transactions.map((t) => t.envelope.feeBid / t.envelope.feeUnits),
    ]),
  };
}
