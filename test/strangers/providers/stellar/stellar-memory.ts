// Remembers what a provider has seen of its Horizon: the network, the latest ledger, earlier pages and balances, and the
// submitted transactions. Also computes the hash of a transaction envelope.
import { createHash } from 'node:crypto';
import { Earlier, type Use } from '../faults.ts';
import { isObject, type Json, numberOf, textOf } from '../json.ts';
import type { Call } from '../wire.ts';
import type { HorizonReply } from './horizon.ts';

const STANDALONE = 'Standalone Network ; February 2017';
const ENVELOPE_TX_V0 = 0;
const ENVELOPE_TX = 2;

export class StellarMemory {
  readonly #earlier = new Earlier();
  readonly #applied = new Map<string, number>();
  #passphrase: string | undefined;
  #ledger = 0;

  constructor(passphrase?: string) {
    this.#passphrase = passphrase;
  }

  learn(call: Call, { headers, json }: HorizonReply): void {
    const sent = this.sentHash(call);
    if (sent !== undefined) this.#applied.set(sent, (this.#applied.get(sent) ?? 0) + 1);
    const root = isObject(json) ? json : {};
    this.#passphrase ??= textOf(root.network_passphrase);
    this.#ledger = Math.max(
      this.#ledger,
      Number(headers['latest-ledger'] ?? 0),
      numberOf(root.history_latest_ledger) ?? 0,
    );
    if (root.balances !== undefined) this.#earlier.learn(call.path, root.balances);
    if (isObject(root._embedded)) this.#earlier.learn(pageOf(call), json);
  }

  ledger(): number {
    return this.#ledger;
  }

  /** Whether an earlier call submitted the same transaction successfully. */
  wasAppliedBefore(call: Call): boolean {
    return (this.#applied.get(this.sentHash(call) ?? '') ?? 0) > 1;
  }

  olderBalances(call: Call, use: Use, unseen?: Json): Json | undefined {
    return this.#earlier.frozen(call.path, use, unseen);
  }

  olderPage(call: Call, use: Use): Json | undefined {
    return this.#earlier.frozen(pageOf(call), use);
  }

  sentHash(call: Call): string | undefined {
    const envelope = envelopeOf(call);
    return envelope === undefined ? undefined : hashOf(envelope, this.#passphrase ?? STANDALONE);
  }
}

export function envelopeOf(call: Call): string | undefined {
  const isSending = call.method === 'POST' && /\/transactions(_async)?\/?$/.test(call.path);
  return isSending ? (new URLSearchParams(call.body).get('tx') ?? undefined) : undefined;
}

function pageOf(call: Call): string {
  const rest = [...call.query].filter(([name]) => name !== 'cursor').sort();
  return `${call.path} ${JSON.stringify(rest)}`;
}

/**
 * Computes the hash that identifies a transaction. The hash covers the network, the type and the transaction without its
 * signatures.
 */
function hashOf(envelope: string, passphrase: string): string {
  const bytes = Buffer.from(envelope.replaceAll(' ', '+'), 'base64');
  const type = bytes.length < 4 ? ENVELOPE_TX : bytes.readUInt32BE(0);
  const head = Buffer.alloc(type === ENVELOPE_TX_V0 ? 8 : 4);
  // An envelope of the oldest form is hashed like the later form. There the account begins with the type of its key, and that
  // type is 0.
  head.writeUInt32BE(type === ENVELOPE_TX_V0 ? ENVELOPE_TX : type, 0);
  return createHash('sha256')
    .update(createHash('sha256').update(passphrase).digest())
    .update(head)
    .update(bytes.subarray(4, bytes.length - signatureBytes(bytes)))
    .digest('hex');
}

// The signatures are at the end: first their number, then for each signature a hint of 4 bytes, the length 64 and 64 bytes.
function signatureBytes(bytes: Buffer): number {
  for (let count = 20; count > 0; count -= 1) {
    const start = bytes.length - 4 - count * 72;
    if (start < 4 || bytes.readUInt32BE(start) !== count) continue;
    const lengths = Array.from({ length: count }, (_, at) => bytes.readUInt32BE(start + 8 + at * 72));
    if (lengths.every((length) => length === 64)) return bytes.length - start;
  }
  return Math.min(4, bytes.length);
}
