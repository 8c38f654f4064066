// How the examination uses the faults of the independent providers.
import type { FaultOptions } from '../providers/faults.ts';

/** Faults of sending: each send has them a few times, then the provider works normally. */
export const SENDS: ReadonlySet<string> = new Set([
  ...['accepted_but_error', 'error_but_not_sent', 'dropped', 'doubled', 'accepted_but_preflight_error'],
  ...['accepted_but_node_behind', 'timeout_though_applied', 'timeout_not_applied', 'bad_seq_though_applied'],
]);

/** Faults that both providers may have at the same time: they cause delays, but no false data about the chain. */
export const AT_BOTH: ReadonlySet<string> = new Set([
  ...['slow', 'cut', 'too_many', 'html', 'half_json', 'doubled_keys', 'doubled', 'batch_refused'],
  ...['batch_shuffled', 'wrong_id', 'accepted_but_error', 'error_but_not_sent', 'dropped'],
  ...['timeout_though_applied', 'timeout_not_applied'],
]);

/**
 * False amounts. If a false amount concerns an outflow of a treasury, it correctly stops the treasury's sends until two people
 * have reviewed it.
 */
export const ABOUT_DEPOSITS: ReadonlySet<string> = new Set(['token_balance_differs']);

/** A deposit with a false amount waits for minutes or for people: src/adapters/networks/evm/observe/confirm.test.ts. */
const NOT_EXAMINED: ReadonlySet<string> = new Set(['value_differs']);

/** The options that a fault needs to affect the calls made here. */
export const OPTIONS: Readonly<Record<string, FaultOptions>> = { too_large_range: { by: 1 } };

/** The service does not use a provider for a while after it served another chain or failed: such faults are tested last. */
const LAST: readonly string[] = [
  ...['slow', 'batch_shuffled', 'wrong_id', 'batch_refused', 'doubled_keys', 'half_json', 'html', 'too_many'],
  ...['cut', 'another_chain', 'another_network'],
];

export function inOrder(faults: readonly string[]): readonly string[] {
  return faults
    .filter((fault) => !NOT_EXAMINED.has(fault))
    .toSorted((a, b) => LAST.indexOf(a) - LAST.indexOf(b));
}
