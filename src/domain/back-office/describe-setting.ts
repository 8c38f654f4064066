// A change of a setting as a sentence, the same on the command line and on the pages.
import type { Mode } from '../values/mode.ts';
import { formatNaira } from '../values/money.ts';
import type { RatesInput, RouteInput, SettingRequest, SpreadInput } from './setting.ts';

export function describeSetting(request: SettingRequest): string {
  switch (request.setting) {
    case 'vendor_added':
    case 'vendor_renamed':
    case 'vendor_enabled':
    case 'vendor_disabled':
    case 'vendor_source_set':
      return describeVendorSetting(request);
    case 'fee_set': {
      const { mode, product, flatMinor, feeBps, capMinor, businessId, fromMs } = request.fee;
      const cap = capMinor === null ? '' : `, at most ${formatNaira(capMinor)}`;
      const from = fromMs === null ? '' : ` from ${new Date(fromMs).toISOString()}`;
      return `set the fee of a ${mode} ${product} to ${formatNaira(flatMinor)} and ${feeBps} bps${cap}${from}, for ${describeBusiness(businessId)}`;
    }
    case 'limit_set': {
      const { mode, businessId, perTransactionMinor, perDayMinor, perMonthMinor } = request.limit;
      const limits = [
        limitText('per transaction', perTransactionMinor),
        limitText('per day', perDayMinor),
        limitText('per month', perMonthMinor),
      ];
      return `set the ${mode} limits of ${describeBusiness(businessId)}: ${limits.flat().join(', ')}`;
    }
    case 'wallet_set': {
      const { mode, businessId, wallet } = request;
      if (wallet === null) return `remove the ${mode} default wallet of ${businessId}`;
      return `set the ${mode} default wallet of ${businessId} to ${wallet.network} ${wallet.address}`;
    }
    case 'business_frozen':
      return `freeze ${request.businessId} in ${request.mode} mode (${request.reason})`;
    case 'freeze_lifted':
      return `lift the ${request.mode} freeze of ${request.businessId} (${request.reason})`;
    case 'claim_limit_lifted':
      return `lift the ${request.mode} limit of unpaid buys of ${request.businessId} (${request.reason})`;
    case 'movements_paused':
      return 'pause money movements';
    case 'movements_resumed':
      return `resume money movements${request.reason === '' ? '' : ` (${request.reason})`}`;
    case 'signing_resumed':
      return `resume signing after the stop: ${request.note || 'no reason was given'}`;
    case 'network_forgotten':
      return `forget what ${request.network} (${request.mode}) is bound to: ${request.identity}`;
    case 'rates_set':
      return describeRates(request);
    case 'rates_withdrawn':
      return `withdraw the ${request.mode} ${request.product} desk prices of ${request.currencies.join(', ')} now`;
    case 'spread_set':
      return describeSpread(request);
    case 'tier_set':
      return `put ${request.businessId} into the tier ${request.tier}`;
    case 'rail_paused':
      return `pause the ${request.mode} rail ${request.rail}: it gets no new payouts (${request.reason})`;
    case 'rail_resumed':
      return `resume the ${request.mode} rail ${request.rail} (${request.reason})`;
    case 'rail_trusted':
      return `trust the refusals of the ${request.mode} rail ${request.rail} again: a payout that it refuses goes to another rail or is returned (${request.reason})`;
    case 'rail_route_set':
      return describeRouteSet(request.mode, request.route);
    case 'rail_route_removed':
      return `remove the ${request.mode} route ${request.routeId}`;
    case 'rail_cap_set':
      return request.perDayMinor === null
        ? `remove the daily cap of the ${request.mode} rail ${request.rail}`
        : `set the daily cap of the ${request.mode} rail ${request.rail} to ${formatNaira(request.perDayMinor)}`;
    case 'statement_profile_confirmed':
      return describeConfirmedProfile(request);
    case 'person_erased':
      return `erase the personal data of ${request.person} in ${request.mode} mode permanently: ${summariseSubjects(request.subjects)}${describeKept(request.keptUntilMs ?? null)}`;
  }
}

function describeConfirmedProfile(
  request: Extract<SettingRequest, { readonly setting: 'statement_profile_confirmed' }>,
): string {
  const { mode, account, profile, fileId, rows, moneyIn, moneyOut, fromDay, toDay } = request;
  return `confirm that the profile ${profile} reads the ${mode} statements of ${account} rightly: the file ${fileId} has ${rows} rows from ${fromDay ?? '-'} to ${toDay ?? '-'}, ${moneyIn} in and ${moneyOut} out`;
}

function describeVendorSetting(
  request: Extract<SettingRequest, { readonly setting: `vendor_${string}` }>,
): string {
  switch (request.setting) {
    case 'vendor_added': {
      const { mode, name, number, bank } = request.vendor;
      return `add the ${mode} vendor ${name}, ${number}, ${bank}`;
    }
    case 'vendor_renamed':
      return `rename the vendor ${request.vendorId} to ${request.name}`;
    case 'vendor_enabled':
      return `enable the vendor ${request.vendorId}`;
    case 'vendor_disabled':
      return `disable the vendor ${request.vendorId}`;
    case 'vendor_source_set':
      return `make ${request.source} the credit source of the vendor ${request.vendorId}`;
  }
}

/** The first few subjects, and the number of the remaining ones. */
function describeKept(keptUntilMs: number | null): string {
  if (keptUntilMs === null) return '';
  return `; records that the law requires are erased later, the last of them on ${new Date(keptUntilMs).toISOString().slice(0, 10)}`;
}

function summariseSubjects(subjects: readonly string[]): string {
  const first = subjects.slice(0, 5).join(', ');
  return subjects.length > 5 ? `${first} and ${subjects.length - 5} more` : first;
}

function describeRouteSet(mode: Mode, route: RouteInput): string {
  const which = route.id === null ? `add a ${mode} route` : `replace the ${mode} route ${route.id}`;
  return `${which}: ${describeRoute(route)}`;
}

/** `nip with priority 1, weight 100, up to ₦5,000,000.00, banks 044 058` */
export function describeRoute(route: Omit<RouteInput, 'id'>): string {
  const { rail, priority, weight, minMinor, maxMinor, bankCodes, costMinor, enabled } = route;
  const banks = bankCodes === null ? 'all banks' : `banks ${bankCodes.join(' ')}`;
  const parts = [
    `${rail} with priority ${priority}, weight ${weight}, ${bandText(minMinor, maxMinor)}, ${banks}`,
  ];
  if (costMinor !== null) parts.push(`cost ${formatNaira(costMinor)}`);
  if (!enabled) parts.push('disabled');
  return parts.join(', ');
}

function bandText(minMinor: bigint | null, maxMinor: bigint | null): string {
  if (minMinor === null) return maxMinor === null ? 'all amounts' : `up to ${formatNaira(maxMinor)}`;
  const from = `from ${formatNaira(minMinor)}`;
  return maxMinor === null ? from : `${from} to ${formatNaira(maxMinor)}`;
}

function describeRates({ mode, product, prices, validForMs, override }: RatesInput): string {
  const list = prices.map(({ currency, price }) => `${currency} to ${price}`);
  const alone = override ? ', ignoring other sources' : '';
  return `set the ${mode} ${product} desk prices of ${list.join(', ')} naira for ${formatExactDuration(validForMs)}${alone}`;
}

function describeSpread({ mode, product, currency, tier, spreadBps }: SpreadInput): string {
  const currencies = currency ?? 'all currencies without a spread of their own';
  const tiers = tier === null ? 'all tiers without a spread of their own' : `the tier ${tier}`;
  return `set the ${mode} ${product} spread to ${spreadBps} bps, for ${currencies} and ${tiers}`;
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Formats a duration in the largest exact unit, as people write it: 90m, 24h. */
export function formatExactDuration(durationMs: number): string {
  const unit = UNITS.find(([, ms]) => durationMs % ms === 0);
  return unit === undefined ? `${durationMs} ms` : `${durationMs / unit[1]}${unit[0]}`;
}

function describeBusiness(businessId: string | null): string {
  return businessId ?? 'all businesses without their own value';
}

function limitText(name: string, minor: bigint | null | undefined): string[] {
  if (minor === undefined) return [];
  return [`${name} ${minor === null ? 'none' : formatNaira(minor)}`];
}
