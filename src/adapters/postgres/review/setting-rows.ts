// Defines how the proposal of a setting is stored: the request as JSON with amounts as text, and the value that the setting
// would change.
import type {
  FeeInput,
  LimitInput,
  SettingProposal,
  SettingRequest,
} from '../../../domain/back-office/setting.ts';
import type { AnyRow } from '../reads/settlement-rows.ts';
import { decisionOf, PROPOSALS } from './proposal-store.ts';

export const SETTING_PROPOSALS = {
  select: PROPOSALS.select,
  read: (row: AnyRow): SettingProposal => ({
    id: row.id,
    mode: row.mode,
    request: requestOf(row.detail.request),
    before: row.detail.before,
    why: row.detail.why ?? null,
    proposedBy: row.proposed_by,
    proposedAtMs: row.proposed_ms,
    decision: decisionOf(row),
  }),
};

export function settingDetail({
  request,
  before,
  why,
}: Pick<SettingProposal, 'request' | 'before' | 'why'>): string {
  return JSON.stringify({ request, before, why }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

function requestOf(stored: AnyRow): SettingRequest {
  if (stored.setting === 'fee_set') {
    const fee: FeeInput = {
      ...stored.fee,
      flatMinor: BigInt(stored.fee.flatMinor),
      capMinor: minorOf(stored.fee.capMinor),
    };
    return { setting: 'fee_set', fee };
  }
  if (stored.setting === 'limit_set') {
    const { mode, businessId, ...limits } = stored.limit as AnyRow;
    const amounts = Object.entries(limits).map(([name, value]) => [name, minorOf(value as string | null)]);
    return {
      setting: 'limit_set',
      limit: { mode, businessId, ...Object.fromEntries(amounts) } as LimitInput,
    };
  }
  if (stored.setting === 'rail_route_set') {
    const { route } = stored;
    const amounts = { minMinor: minorOf(route.minMinor), maxMinor: minorOf(route.maxMinor) };
    return {
      ...stored,
      route: { ...route, ...amounts, costMinor: minorOf(route.costMinor) },
    } as SettingRequest;
  }
  if (stored.setting === 'rail_cap_set')
    return { ...stored, perDayMinor: minorOf(stored.perDayMinor) } as SettingRequest;
  return stored as unknown as SettingRequest;
}

function minorOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
