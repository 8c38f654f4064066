// The settings of the sender, and which addresses it may contact. This file does not load the HTTP client, because the check of a
// new endpoint's URL needs only the rules.
import { networkInterfaces } from 'node:os';
import type { Mode } from '../../domain/values/mode.ts';
import type { WebhookOutcome } from '../../ports/webhooks.ts';
import { type AddressVerdict, judgeAddress, type ResolveHost } from './address-rules.ts';

export interface SenderSettings {
  /** Whether test mode may send to this machine. This is possible only with the embedded database. */
  readonly allowsLoopback: boolean;
  /** Private ranges that the operator opened, in CIDR notation. */
  readonly allowedSubnets: readonly string[];
  readonly timeoutMs: number;
  /** More concurrent attempts to the same endpoint wait for a connection, within their time limit. */
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

/** The address rules for connections and for the check of a new endpoint's URL. */
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

/** Read each time, because the addresses may change and connections are opened rarely. */
function ownAddresses(): ReadonlySet<string> {
  return new Set(Object.values(networkInterfaces()).flatMap((list) => list!.map(({ address }) => address)));
}
