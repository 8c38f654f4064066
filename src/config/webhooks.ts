// Settings of webhooks: the addresses that webhooks may reach in addition to public ones, and the maximum duration of a
// delivery attempt.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { SettingReader } from './setting-reader.ts';

export interface WebhooksConfig {
  readonly webhooks: {
    /** Subnets that webhooks may reach in addition to public addresses, in CIDR notation. */
    readonly allowedSubnets: readonly string[];
    readonly timeoutMs: number;
    readonly endpointsMax: number;
    readonly keepDays: number;
    /**
     * The lease of a delivery is longer than an attempt. If a process crashes, its deliveries are sent again when the lease
     * ends.
     */
    readonly leaseMs: number;
  };
}

/**
 * Address ranges that no setting can allow. The service refuses such a range, because the setting would seem to work but have
 * no effect.
 */
const FORBIDDEN_RANGES: ReadonlySet<string> = new Set([
  'loopback',
  'linkLocal',
  'multicast',
  'unspecified',
  'broadcast',
]);

export function readWebhooksConfig(settings: SettingReader): WebhooksConfig {
  const allowedSubnets = readAllowedSubnets(settings);
  const timeoutMs = settings.integer('WEBHOOK_TIMEOUT_MS', { fallback: 15_000, min: 100, max: 60_000 });
  const endpointsMax = settings.integer('WEBHOOK_ENDPOINTS_MAX', { fallback: 100, min: 1, max: 10_000 });
  const keepDays = settings.integer('WEBHOOK_KEEP_DAYS', { fallback: 30, min: 1, max: 3_650 });
  const leaseMs = settings.integer('WEBHOOK_LEASE_MS', { fallback: 30_000, min: 100, max: 600_000 });
  settings.require(
    leaseMs > timeoutMs,
    ['WEBHOOK_LEASE_MS', 'WEBHOOK_TIMEOUT_MS'],
    'must be longer than WEBHOOK_TIMEOUT_MS.',
  );
  return { webhooks: { allowedSubnets, timeoutMs, endpointsMax, keepDays, leaseMs } };
}

function readAllowedSubnets(settings: SettingReader): readonly string[] {
  const value = settings.text('WEBHOOK_ALLOWED_SUBNETS');
  if (value === undefined) return [];
  const list = value.split(',').map((each) => each.trim());
  if (list.every(isSubnet)) return list;
  settings.refuse(
    'WEBHOOK_ALLOWED_SUBNETS',
    'must be a list of ranges such as 10.20.0.0/16,fd12:3456::/32. Loopback and link-local ranges cannot be allowed.',
  );
  return [];
}

function isSubnet(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  // A mapped IPv6 address is checked as its IPv4 address. A range of mapped addresses would therefore have no effect.
  if (most === undefined || rest.length > 0 || /%|^::ffff:/i.test(address)) return false;
  if (!/^[1-9]\d{0,2}$/.test(bits) || Number(bits) > most) return false;
  return !FORBIDDEN_RANGES.has(ipaddr.parse(address).range());
}
