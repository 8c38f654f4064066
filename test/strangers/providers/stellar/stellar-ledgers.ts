// How the faults of a Horizon change ledgers, times and the Latest-Ledger header.
import { createHash } from 'node:crypto';
import type { Use } from '../faults.ts';
import { isList, isObject, type Json, type JsonObject, numberOf, textOf } from '../json.ts';
import type { Call } from '../wire.ts';
import { type HorizonReply, problem } from './horizon.ts';
import type { StellarMemory } from './stellar-memory.ts';

const SECONDS_PER_LEDGER = 5;
const HOUR_MS = 3_600_000;

export function ledgerRules(memory: StellarMemory) {
  const always = () => true;
  return {
    ledgers_lag: {
      fits: (call: Call) => call.method === 'GET' && /^\/$|\/(ledgers(\/\d+)?|fee_stats)\/?$/.test(call.path),
      reply: (reply: HorizonReply, call: Call, use: Use) => behind(reply, call, use, memory),
    },
    closed_at_wrong: { fits: always, reply: shifted('closed_at') },
    created_at_wrong: { fits: always, reply: shifted('created_at') },
    header_missing: {
      fits: always,
      reply: ({ status, headers, json }: HorizonReply): HorizonReply | undefined => {
        const { 'latest-ledger': known, ...rest } = headers;
        return known === undefined ? undefined : { status, headers: rest, json };
      },
    },
    header_behind: { fits: always, reply: movedHeader(-1) },
    header_ahead: { fits: always, reply: movedHeader(1) },
  };
}

function movedHeader(sign: 1 | -1) {
  return (reply: HorizonReply, _call: Call, use: Use): HorizonReply | undefined => {
    const known = reply.headers['latest-ledger'];
    if (known === undefined) return undefined;
    const said = Math.max(1, Number(known) + sign * (use.options.by ?? 10));
    return { ...reply, headers: { ...reply.headers, 'latest-ledger': String(said) } };
  };
}

function shifted(key: string) {
  return (reply: HorizonReply, _call: Call, use: Use): HorizonReply | undefined => {
    const ms = (use.options.by ?? 5) * HOUR_MS;
    const json = withMovedTimes(reply.json, key, ms);
    return JSON.stringify(json) === JSON.stringify(reply.json) ? undefined : { ...reply, json };
  };
}

function withMovedTimes(value: Json, key: string, ms: number): Json {
  if (isList(value)) return value.map((entry) => withMovedTimes(entry, key, ms));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]): [string, Json] => {
    const time = name === key ? textOf(entry) : undefined;
    return [name, time === undefined ? withMovedTimes(entry, key, ms) : movedTime(time, ms)];
  });
  return Object.fromEntries(entries);
}

function movedTime(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString().replace('.000Z', 'Z');
}

function behind(reply: HorizonReply, call: Call, use: Use, memory: StellarMemory): HorizonReply | undefined {
  const { json } = reply;
  if (!isObject(json)) return undefined;
  const by = use.options.by ?? 10;
  const one = /\/ledgers\/(\d+)\/?$/.exec(call.path)?.[1];
  if (one !== undefined) {
    const isTooNew = Number(one) > memory.ledger() - by;
    return isTooNew ? problem(404, 'not_found', 'Resource Missing') : undefined;
  }
  if (isObject(json._embedded)) return olderLedgers(reply, json, by, memory);
  const fields = ['history_latest_ledger', 'core_latest_ledger', 'ingest_latest_ledger', 'last_ledger'];
  const said = fields.flatMap((name) => {
    const truth = json[name];
    if (truth === undefined) return [];
    const lower = Math.max(1, Number(textOf(truth) ?? numberOf(truth)) - by);
    return [[name, typeof truth === 'string' ? String(lower) : lower] as const];
  });
  return said.length === 0 ? undefined : { ...reply, json: { ...json, ...Object.fromEntries(said) } };
}

/** A list from the newest ledger down begins with an older ledger. A list from the oldest ledger up ends earlier. */
function olderLedgers(
  reply: HorizonReply,
  json: JsonObject,
  by: number,
  memory: StellarMemory,
): HorizonReply | undefined {
  const embedded = isObject(json._embedded) ? json._embedded : {};
  const records = isList(embedded.records) ? embedded.records : [];
  const head = Math.max(memory.ledger(), ...records.map((record) => sequenceOf(record) ?? 0)) - by;
  if (records.every((record) => (sequenceOf(record) ?? 0) <= head)) return undefined;
  const isDown = (sequenceOf(records[0]) ?? 0) > head;
  const said = isDown
    ? records.map((record) => lowered(record, by))
    : records.filter((record) => (sequenceOf(record) ?? 0) <= head);
  return { ...reply, json: { ...json, _embedded: { ...embedded, records: said } } };
}

function sequenceOf(record: Json | undefined): number | undefined {
  return isObject(record) ? numberOf(record.sequence) : undefined;
}

function lowered(record: Json, by: number): Json {
  const sequence = sequenceOf(record);
  if (!isObject(record) || sequence === undefined) return record;
  const lower = Math.max(1, sequence - by);
  const hash = hashFor(lower);
  const closedAt = textOf(record.closed_at);
  return {
    ...record,
    id: hash,
    hash,
    prev_hash: hashFor(lower - 1),
    sequence: lower,
    paging_token: String(BigInt(lower) << 32n),
    ...(closedAt === undefined ? {} : { closed_at: movedTime(closedAt, -by * SECONDS_PER_LEDGER * 1_000) }),
  };
}

function hashFor(sequence: number): string {
  return createHash('sha256').update(`ledger ${sequence}`).digest('hex');
}
