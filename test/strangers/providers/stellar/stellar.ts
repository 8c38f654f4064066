// A provider in front of a real Stellar Horizon. It lies, lags or breaks like real providers. Its false data come from earlier
// responses or are invented here. It makes no requests of its own, so a fault that needs an older response waits until the
// client has caused one. Event streams pass through unchanged.
import { Faults, type Provider, seeded, startProvider } from '../faults.ts';
import type { Lies } from '../json.ts';
import { horizonRules } from './horizon.ts';
import { stellarRules } from './stellar-faults.ts';
import { StellarMemory } from './stellar-memory.ts';
import { FAULTS, type StellarFault } from './stellar-names.ts';

const LIES: Lies = {
  successful: (truth) => truth !== true,
  transaction_successful: (truth) => truth !== true,
  amount: () => '0.0000001',
  balance: () => '0.0000000',
  sequence: (truth) => (typeof truth === 'number' ? 1 : '1'),
  network_passphrase: () => 'Public Global Stellar Network ; September 2015',
  status: () => 200,
};

const TOO_MANY =
  '{"type":"https://stellar.org/horizon-errors/rate_limit_exceeded","title":"Rate Limit Exceeded",' +
  '"status":429,"detail":"The rate limit for the requesting IP address is over its alloted limit."}';

/**
 * The provider needs the passphrase to compute the hash of a submitted transaction. If the caller gives none, the provider uses
 * the passphrase in the first root response.
 */
export function startStellarProvider(options: {
  readonly upstream: string;
  readonly seed?: number;
  readonly passphrase?: string;
}): Promise<Provider<StellarFault>> {
  const faults = new Faults(FAULTS);
  const memory = new StellarMemory(options.passphrase);
  const rules = horizonRules({
    faults,
    rules: stellarRules(memory, seeded(options.seed)),
    transport: { faults, lies: LIES, tooMany: TOO_MANY },
    upstream: options.upstream,
    sent: (call) => memory.sentHash(call),
    learn: (call, reply) => memory.learn(call, reply),
  });
  return startProvider(options.upstream, faults, rules);
}
