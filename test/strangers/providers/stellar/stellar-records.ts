// How the faults of a Horizon change lists of payments, operations, transactions and effects, and the links in these lists.
import { meant, pick, type Random, shuffled, type Use } from '../faults.ts';
import { isList, isObject, type Json, type JsonObject, textOf } from '../json.ts';
import type { Call } from '../wire.ts';
import { type HorizonReply, namesOf } from './horizon.ts';
import type { StellarMemory } from './stellar-memory.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';

type Change = (records: readonly Json[], chosen: readonly Json[], use: Use) => readonly Json[];

export function recordRules(memory: StellarMemory, random: Random) {
  return {
    cursor_ignored: {
      fits: isRecords,
      reply: (reply: HorizonReply, call: Call, use: Use) => {
        const older = memory.olderPage(call, use);
        const isSame = older === undefined || JSON.stringify(older) === JSON.stringify(reply.json);
        return isSame ? undefined : { ...reply, json: older };
      },
    },
    records_lag: ofRecords((records, chosen, use) => {
      const head = use.options.at ?? memory.ledger() - (use.options.by ?? 2);
      return records.filter((record) => !chosen.includes(record) || ledgerOf(record) <= head);
    }),
    records_hole: ofRecords((records, chosen, use) => {
      const hole = use.memo.get('hole') ?? idOf(pick(random, chosen));
      if (hole !== undefined) use.memo.set('hole', hole);
      return records.filter((record) => idOf(record) !== hole);
    }),
    records_say_failed: ofRecords((records, chosen) =>
      records.map((record) =>
        isObject(record) && chosen.includes(record) && record.transaction_successful === true
          ? { ...record, transaction_successful: false }
          : record,
      ),
    ),
    other_issuer: ofRecords((records, chosen, use) => withOtherIssuer(records, chosen, use)),
    record_twice: ofRecords((records, chosen) => {
      const twice = pick(random, chosen);
      return twice === undefined ? records : records.toSpliced(records.indexOf(twice), 0, twice);
    }),
    records_unordered: ofRecords((records, chosen) =>
      chosen.length === 0 ? records : shuffled(random, records),
    ),
    plain_amounts: {
      fits: () => true,
      reply: (reply: HorizonReply) => {
        const json = plain(reply.json);
        return JSON.stringify(json) === JSON.stringify(reply.json) ? undefined : { ...reply, json };
      },
    },
    next_elsewhere: { fits: () => true, reply: elsewhere },
  };
}

function isRecords(call: Call): boolean {
  return call.method === 'GET' && /\/(payments|operations|transactions|effects)\/?$/.test(call.path);
}

function ofRecords(change: Change) {
  return {
    fits: isRecords,
    amongEntries: true,
    reply: (reply: HorizonReply, call: Call, use: Use): HorizonReply | undefined => {
      const { json } = reply;
      const embedded = isObject(json) && isObject(json._embedded) ? json._embedded : undefined;
      if (!isObject(json) || embedded === undefined || !isList(embedded.records)) return undefined;
      const before = embedded.records;
      const records = change(before, meant(use, before, namesOf(call)), use);
      const isSame = records.length === before.length && records.every((record, at) => record === before[at]);
      return isSame ? undefined : { ...reply, json: { ...json, _embedded: { ...embedded, records } } };
    },
  };
}

function idOf(record: Json | undefined): string | undefined {
  return isObject(record) ? textOf(record.id) : undefined;
}

// The upper half of a paging token is the ledger. The paging token of an effect has a second part.
function ledgerOf(record: Json): number {
  const token = (isObject(record) ? textOf(record.paging_token) : undefined) ?? '0';
  return Number(BigInt(token.split('-')[0] ?? '0') >> 32n);
}

function withOtherIssuer(records: readonly Json[], chosen: readonly Json[], use: Use): readonly Json[] {
  const issuer = use.options.value ?? ISSUER;
  return records.flatMap((record): readonly Json[] => {
    if (!isObject(record) || !chosen.includes(record) || record.asset_issuer === undefined) return [record];
    const other = { ...record, asset_issuer: issuer };
    return use.options.extra ? [record, nextTo(other)] : [other];
  });
}

function nextTo(record: JsonObject): JsonObject {
  const after = (value: Json | undefined) => String(BigInt(textOf(value) ?? '0') + 1n);
  return { ...record, id: after(record.id), paging_token: after(record.paging_token) };
}

function plain(value: Json): Json {
  if (isList(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]): [string, Json] => {
    const text = /amount|balance/.test(name) ? textOf(entry) : undefined;
    const isAmount = text !== undefined && /^\d+\.\d+$/.test(text);
    return [name, isAmount ? text.replace(/\.?0+$/, '') : plain(entry)];
  });
  return Object.fromEntries(entries);
}

function elsewhere(reply: HorizonReply, _call: Call, use: Use): HorizonReply | undefined {
  const links = isObject(reply.json) && isObject(reply.json._links) ? reply.json._links : undefined;
  if (!isObject(reply.json) || links === undefined || !isObject(links.next)) return undefined;
  const host = use.options.value ?? 'https://horizon.invalid';
  const moved = Object.entries(links).map(([name, link]): [string, Json] => {
    const href = (name === 'next' || name === 'prev') && isObject(link) ? textOf(link.href) : undefined;
    if (!isObject(link) || href === undefined) return [name, link];
    return [name, { ...link, href: href.replace(/^https?:\/\/[^/]+/, host.replace(/\/$/, '')) }];
  });
  const _links = Object.fromEntries(moved);
  return { ...reply, json: { ...reply.json, _links } };
}
