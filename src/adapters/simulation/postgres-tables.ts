// Defines the tables of the simulated world, column by column: how a row is written, found and read back.
import type { CreditLine, NoticeLine } from '../../ports/rails/rail-statement.ts';
import type { WorldTable } from './postgres-rows.ts';
import type { WorldArrival, WorldPayout, WorldStatementRow, WorldTransfer } from './simulated-world.ts';

/** The keys of the locks may be any numbers, but every process must use the same ones. */
const ARRIVALS_LOCK = 727_201_201;
const STATEMENT_LOCK = 727_201_202;

export const TRANSFERS: WorldTable<WorldTransfer, Pick<WorldTransfer, 'orderId' | 'hash'>> = {
  name: 'simulated_transfers',
  columns: [
    ['order_id', 'text', (row) => row.orderId],
    ['hash', 'text', (row) => row.hash],
    ['network', 'text', (row) => row.network],
    ['about', 'text', (row) => row.about],
    ['address', 'text', (row) => row.address],
    ['amount_minor', 'numeric', (row) => row.amountMinor.toString()],
    ['fate', 'text', (row) => row.fate],
    ['at_ms', 'bigint', (row) => row.atMs.toString()],
    ['included_at_ms', 'bigint', (row) => row.includedAtMs.toString()],
    ['final_at_ms', 'bigint', (row) => row.finalAtMs.toString()],
  ],
  unique: ['order_id', 'hash'],
  uniqueText: (row) => `${row.orderId} ${row.hash}`,
  key: [
    ['order_id', 'text', (key) => key.orderId],
    ['hash', 'text', (key) => key.hash],
  ],
  read: (raw) => ({
    orderId: raw.order_id,
    hash: raw.hash,
    network: raw.network,
    about: raw.about,
    address: raw.address,
    amountMinor: BigInt(raw.amount_minor),
    fate: raw.fate,
    atMs: Number(raw.at_ms),
    includedAtMs: Number(raw.included_at_ms),
    finalAtMs: Number(raw.final_at_ms),
  }),
};

export const ARRIVALS: WorldTable<WorldArrival, Pick<WorldArrival, 'network' | 'txHash' | 'txIndex'>> = {
  name: 'simulated_arrivals',
  columns: [
    ['id', 'text', (row) => row.id],
    ['network', 'text', (row) => row.network],
    ['tx_hash', 'text', (row) => row.txHash],
    ['tx_index', 'integer', (row) => row.txIndex.toString()],
    ['address', 'text', (row) => row.address],
    ['memo', 'text', (row) => row.memo],
    ['sender', 'text', (row) => row.sender],
    ['our_token', 'boolean', (row) => row.ourToken.toString()],
    ['amount_minor', 'numeric', (row) => row.amountMinor.toString()],
    ['fate', 'text', (row) => row.fate],
    ['at_ms', 'bigint', (row) => row.atMs.toString()],
    ['settled_at_ms', 'bigint', (row) => row.settledAtMs.toString()],
  ],
  unique: ['id'],
  uniqueText: (row) => row.id,
  key: [
    ['network', 'text', (key) => key.network],
    ['tx_hash', 'text', (key) => key.txHash],
    ['tx_index', 'integer', (key) => key.txIndex.toString()],
  ],
  read: (raw) => ({
    id: raw.id,
    network: raw.network,
    txHash: raw.tx_hash,
    txIndex: raw.tx_index,
    address: raw.address,
    memo: raw.memo,
    sender: raw.sender,
    ourToken: raw.our_token,
    amountMinor: BigInt(raw.amount_minor),
    fate: raw.fate,
    atMs: Number(raw.at_ms),
    settledAtMs: Number(raw.settled_at_ms),
  }),
  log: { lock: ARRIVALS_LOCK, again: `, position = nextval('simulated_positions')` },
};

export const PAYOUTS: WorldTable<WorldPayout, Pick<WorldPayout, 'reference'>> = {
  name: 'simulated_payouts',
  columns: [
    ['reference', 'text', (row) => row.reference],
    ['about', 'text', (row) => row.about],
    ['bank_code', 'text', (row) => row.bankCode],
    ['account_number', 'text', (row) => row.accountNumber],
    ['amount_minor', 'bigint', (row) => row.amountMinor.toString()],
    ['charge_minor', 'bigint', (row) => row.chargeMinor.toString()],
    ['session_id', 'text', (row) => row.sessionId],
    ['fate', 'text', (row) => row.fate],
    ['at_ms', 'bigint', (row) => row.atMs.toString()],
    ['settled_at_ms', 'bigint', (row) => row.settledAtMs.toString()],
  ],
  unique: ['reference'],
  uniqueText: (row) => row.reference,
  key: [['reference', 'text', (key) => key.reference]],
  read: (raw) => ({
    reference: raw.reference,
    about: raw.about,
    bankCode: raw.bank_code,
    accountNumber: raw.account_number,
    amountMinor: BigInt(raw.amount_minor),
    chargeMinor: BigInt(raw.charge_minor),
    sessionId: raw.session_id,
    fate: raw.fate,
    atMs: Number(raw.at_ms),
    settledAtMs: Number(raw.settled_at_ms),
  }),
};

type WorldStatementLine = CreditLine | NoticeLine;

export const STATEMENT: WorldTable<WorldStatementRow, Pick<WorldStatementLine, 'kind' | 'sourceId'>> = {
  name: 'simulated_statement',
  columns: [
    ['kind', 'text', ({ line }) => line.kind],
    ['source_id', 'text', ({ line }) => line.sourceId],
    ['copy', 'integer', (row) => row.copy.toString()],
    ['reported_at_ms', 'bigint', (row) => row.reportedAtMs.toString()],
    ['line', 'jsonb', ({ line }) => JSON.stringify({ ...line, amountMinor: line.amountMinor.toString() })],
  ],
  unique: ['kind', 'source_id', 'copy'],
  uniqueText: ({ line, copy }) => `${line.kind} ${copy} ${line.sourceId}`,
  key: [
    ['kind', 'text', (key) => key.kind],
    ['source_id', 'text', (key) => key.sourceId],
  ],
  where: 'and copy = 1',
  read: (raw) => ({
    copy: raw.copy,
    reportedAtMs: Number(raw.reported_at_ms),
    line: { ...raw.line, amountMinor: BigInt(raw.line.amountMinor) },
  }),
  log: { lock: STATEMENT_LOCK },
};
