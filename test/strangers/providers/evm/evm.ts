// A provider of the Ethereum JSON-RPC execution API in front of a real node. It lies, lags or breaks like real providers. Its
// false data come from earlier responses or are invented here. It makes no calls of its own, so a fault that needs an older
// response waits until the client has caused one.
import { Faults, type Provider, seeded, startProvider } from '../faults.ts';
import { type Json, type Lies, textOf } from '../json.ts';
import { rpcRules } from '../rpc.ts';
import { evmRules } from './evm-faults.ts';
import { EvmMemory } from './evm-memory.ts';
import { type EvmFault, FAULTS } from './evm-names.ts';
import { keccak256 } from './keccak.ts';

const LIES: Lies = {
  status: (truth) => (truth === '0x0' ? '0x1' : '0x0'),
  data: zeros,
  number: () => '0x0',
  result: (truth) => (typeof truth === 'string' ? zeros(truth) : null),
};

const TOO_MANY = '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"request rate exceeded"}}';

export function startEvmProvider(options: {
  readonly upstream: string;
  readonly seed?: number;
}): Promise<Provider<EvmFault>> {
  const faults = new Faults(FAULTS);
  const memory = new EvmMemory();
  const random = seeded(options.seed);
  const rules = rpcRules({
    faults,
    random,
    rules: evmRules(memory, random),
    transport: { faults, lies: LIES, tooMany: TOO_MANY },
    sent: sentHash,
    learn: (call, result) => memory.learn(call, result),
  });
  return startProvider(options.upstream, faults, rules);
}

function zeros(truth: Json): Json {
  const text = textOf(truth) ?? '0x0';
  return text.length < 66 ? '0x0' : `0x${'0'.repeat(text.length - 2)}`;
}

function sentHash(method: string, params: readonly Json[]): string | undefined {
  const raw = textOf(params[0]);
  if (method !== 'eth_sendRawTransaction' || raw === undefined) return undefined;
  return keccak256(Buffer.from(raw.slice(2), 'hex'));
}
