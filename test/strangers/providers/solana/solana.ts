// A provider of the Solana JSON-RPC HTTP methods in front of a real node. It lies, lags or breaks like real providers. Its
// false data come from earlier responses or are invented here. It makes no calls of its own, so a fault that needs an older
// response waits until the client has caused one.
import { Faults, type Provider, seeded, startProvider } from '../faults.ts';
import type { Lies } from '../json.ts';
import { rpcRules } from '../rpc.ts';
import { signatureOf, solanaRules } from './solana-faults.ts';
import { SolanaMemory } from './solana-memory.ts';
import { FAULTS, type SolanaFault } from './solana-names.ts';

const LIES: Lies = {
  err: (truth) => (truth === null ? { InstructionError: [0, { Custom: 1 }] } : null),
  amount: () => '0',
  lamports: () => 0,
  blockhash: () => '11111111111111111111111111111111',
  result: (truth) => (typeof truth === 'number' ? 0 : null),
};

const TOO_MANY = '{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"Too many requests"}}';

export function startSolanaProvider(options: {
  readonly upstream: string;
  readonly seed?: number;
}): Promise<Provider<SolanaFault>> {
  const faults = new Faults(FAULTS);
  const memory = new SolanaMemory();
  const random = seeded(options.seed);
  const rules = rpcRules({
    faults,
    random,
    rules: solanaRules(memory, random),
    transport: { faults, lies: LIES, tooMany: TOO_MANY },
    sent: signatureOf,
    learn: (call, result) => memory.learn(call, result),
  });
  return startProvider(options.upstream, faults, rules);
}
