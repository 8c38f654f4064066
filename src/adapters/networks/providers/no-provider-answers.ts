// No provider of a network answered the checks before the network is used. The settings may be right, so the checks are tried
// again later; a chain that contradicts the settings is an error that the operator must fix.
import type { ProviderState } from '../../../ports/network/watches.ts';

export class NoProviderAnswers extends Error {
  override readonly name = 'NoProviderAnswers';

  /** The message holds each provider's error and its host, and nothing else of its URL. */
  constructor(network: string, providers: readonly Pick<ProviderState, 'name' | 'problem'>[]) {
    const each = providers.map(({ name, problem }) => problemAt(name, problem ?? 'no usable answer'));
    super(`${network}: no provider answers (${each.join('; ')}).`);
  }
}

/** Names the host once, whether or not the error already does. */
function problemAt(name: string, problem: string): string {
  return problem.includes(name) ? problem : `${name}: ${problem}`;
}
