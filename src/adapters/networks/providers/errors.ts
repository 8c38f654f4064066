// The errors that say why a provider, or every provider of a network, cannot be used.
import type { ProviderState } from '../../../ports/networks/network-watch.ts';

/**
 * A provider reported a different chain from the one in the settings. The responses of the provider do not count until it
 * reports the right chain. They may be true, but they are about a different chain.
 */
export class WrongChainError extends Error {
  override readonly name = 'WrongChainError';

  constructor(named: string | number, expected: string | number) {
    super(`it is on the chain ${named}, but the settings say ${expected}`);
  }
}

/**
 * No provider of a network responded to the checks before the network is used. The settings may be right, so the checks are
 * repeated later. A chain that contradicts the settings is an error that the operator must fix.
 */
export class NoProviderAnswersError extends Error {
  override readonly name = 'NoProviderAnswersError';

  /** The message contains each provider's error and host, and no other part of its URL. */
  constructor(network: string, providers: readonly Pick<ProviderState, 'name' | 'problem'>[]) {
    const each = providers.map(({ name, problem }) => problemAt(name, problem ?? 'no usable answer'));
    super(`${network}: no provider answers (${each.join('; ')}).`);
  }
}

function problemAt(name: string, problem: string): string {
  return problem.includes(name) ? problem : `${name}: ${problem}`;
}
