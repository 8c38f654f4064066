// Contains the settings of the webhook sender and the rules about which addresses it may contact. This file does not load the
// HTTP client, because the check of a new endpoint's URL needs only these rules.
import { networkInterfaces } from 'node:os';
import type { Mode } from '../../domain/values/mode.ts';
import type { WebhookOutcome } from '../../ports/webhooks.ts';
import { type AddressVerdict, judgeAddress, type ResolveHost } from './address-rules.ts';

export interface SenderSettings {
  /** True if webhooks of test mode may go to this machine itself. This is possible only with the embedded database. */
  readonly allowsLoopback: boolean;
  /** The private address ranges, in CIDR notation, to which the operator allows webhooks. */
  readonly allowedSubnets: readonly string[];
  readonly timeoutMs: number;
  /**
   * The maximum number of connections to one endpoint. Further attempts wait for a free connection, within their time limit.
   */
  readonly connectionsPerEndpoint?: number;
  readonly endpointsKept?: number;
  readonly resolveHost?: ResolveHost;
  readonly ca?: string;
}

export const STOPPING_OUTCOME: WebhookOutcome = {
  kind: 'failed',
  problem: 'connection',
  detail: 'The service is stopping.',
  durationMs: 0,
};

/** Decides whether the sender may contact an address. Connections and the check of a new endpoint's URL use these rules. */
export function judgeWebhookAddress(
  ip: string,
  mode: Mode,
  { allowsLoopback, allowedSubnets }: Pick<SenderSettings, 'allowsLoopback' | 'allowedSubnets'>,
): AddressVerdict {
  return judgeAddress(ip, {
    allowsLoopback: allowsLoopback && mode === 'test',
    allowedSubnets,
    ownAddresses: ownAddresses(),
  });
}

/** The service reads its own addresses each time, because they may change and because it opens connections rarely. */
function ownAddresses(): ReadonlySet<string> {
  return new Set(Object.values(networkInterfaces()).flatMap((list) => list!.map(({ address }) => address)));
}
