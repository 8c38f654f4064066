// How the faults of a Horizon change its responses about the network, transactions, submissions, accounts and its own state.
import type { Random, Use } from '../faults.ts';
import { isList, isObject, type Json, textOf } from '../json.ts';
import type { TransportFault } from '../transport.ts';
import type { Call } from '../wire.ts';
import { type HorizonReply, type HorizonRule, problem } from './horizon.ts';
import { ledgerRules } from './stellar-ledgers.ts';
import { envelopeOf, type StellarMemory } from './stellar-memory.ts';
import type { StellarFault } from './stellar-names.ts';
import { recordRules } from './stellar-records.ts';

export type StellarRuleName = Exclude<StellarFault, TransportFault>;

const PUBLIC = 'Public Global Stellar Network ; September 2015';
const TESTNET = 'Test SDF Network ; September 2015';

/**
 * Lists the rules in the order in which they are applied: rules that remove data first, then rules that change data, then rules
 * that add data.
 */
export function stellarRules(
  memory: StellarMemory,
  random: Random,
): Readonly<Record<StellarRuleName, HorizonRule>> {
  return {
    stale_history: {
      fits: (call) => call.method === 'GET',
      ask: () => problem(503, 'stale_history', 'Historical DB Is Too Stale'),
    },
    another_network: {
      fits: (call) => call.method === 'GET' && call.path === '/',
      reply: (reply, _call, use) => {
        if (!isObject(reply.json)) return undefined;
        const other = reply.json.network_passphrase === PUBLIC ? TESTNET : PUBLIC;
        return { ...reply, json: { ...reply.json, network_passphrase: use.options.value ?? other } };
      },
    },
    ...transactionRules(),
    ...sendRules(memory),
    ...accountRules(memory),
    ...recordRules(memory, random),
    ...ledgerRules(memory),
  };
}

function transactionRules() {
  const fits = (call: Call) => call.method === 'GET' && /\/transactions\/[0-9a-f]{64}\/?$/i.test(call.path);
  return {
    transaction_missing: { fits, reply: () => problem(404, 'not_found', 'Resource Missing') },
    says_failed: {
      fits,
      reply: (reply: HorizonReply) =>
        isObject(reply.json) && reply.json.successful === true
          ? { ...reply, json: { ...reply.json, successful: false } }
          : undefined,
    },
  };
}

function sendRules(memory: StellarMemory) {
  const fits = (call: Call) => envelopeOf(call) !== undefined;
  const timeout = (call: Call) =>
    problem(504, 'timeout', 'Timeout', {
      hash: memory.sentHash(call) ?? '',
      envelope_xdr: envelopeOf(call) ?? '',
    });
  return {
    timeout_not_applied: { fits, ask: timeout },
    dropped: { fits, ask: (call: Call) => accepted(call, memory) },
    timeout_though_applied: { fits, reply: (_reply: HorizonReply, call: Call) => timeout(call) },
    bad_seq_though_applied: {
      fits,
      reply: (_reply: HorizonReply, call: Call, use: Use) => {
        if (!memory.wasAppliedBefore(call) && !use.options.first) return undefined;
        return problem(400, 'transaction_failed', 'Transaction Failed', {
          envelope_xdr: envelopeOf(call) ?? '',
          result_codes: { transaction: 'tx_bad_seq' },
          // The XDR of the result tx_bad_seq with a charged fee of 0.
          result_xdr: 'AAAAAAAAAAD////7AAAAAA==',
        });
      },
    },
  };
}

function accepted(call: Call, memory: StellarMemory): HorizonReply {
  const hash = memory.sentHash(call) ?? '';
  const ledger = memory.ledger() + 1;
  const headers = { 'content-type': 'application/hal+json; charset=utf-8' };
  if (call.path.includes('_async')) return { status: 201, headers, json: { tx_status: 'PENDING', hash } };
  return {
    status: 200,
    headers: { ...headers, 'latest-ledger': String(ledger) },
    json: {
      _links: { self: { href: `http://${call.headers.host}/transactions/${hash}` } },
      id: hash,
      paging_token: String((BigInt(ledger) << 32n) + 4096n),
      successful: true,
      hash,
      ledger,
      created_at: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      fee_charged: '100',
      max_fee: '100',
      operation_count: 1,
      envelope_xdr: envelopeOf(call) ?? '',
      // The XDR of the result tx_success of one payment with a charged fee of 100.
      result_xdr: 'AAAAAAAAAGQAAAAAAAAAAQAAAAAAAAABAAAAAAAAAAA=',
    },
  };
}

function accountRules(memory: StellarMemory) {
  const fits = (call: Call) => call.method === 'GET' && /\/accounts\/[A-Z2-7]+\/?$/.test(call.path);
  const moved = (sign: bigint) => ({
    fits,
    reply: (reply: HorizonReply, _call: Call, use: Use): HorizonReply | undefined => {
      const sequence = isObject(reply.json) ? textOf(reply.json.sequence) : undefined;
      if (!isObject(reply.json) || sequence === undefined) return undefined;
      const said = BigInt(sequence) + sign * BigInt(use.options.by ?? 1);
      return { ...reply, json: { ...reply.json, sequence: String(said < 0n ? 0n : said) } };
    },
  });
  return {
    balances_lag: {
      fits,
      reply: (reply: HorizonReply, call: Call, use: Use) => {
        const now = isObject(reply.json) ? reply.json.balances : undefined;
        if (!isObject(reply.json) || now === undefined) return undefined;
        const older = memory.olderBalances(call, use, use.options.empty ? emptied(now) : undefined);
        if (older === undefined || JSON.stringify(older) === JSON.stringify(now)) return undefined;
        return { ...reply, json: { ...reply.json, balances: older } };
      },
    },
    sequence_behind: moved(-1n),
    sequence_ahead: moved(1n),
  };
}

function emptied(balances: Json): Json {
  if (!isList(balances)) return balances;
  return balances.map((line): Json => (isObject(line) ? { ...line, balance: '0.0000000' } : line));
}
