// Writes settings, and reads the current values that each setting would change. On the pool of connections, each write is a
// separate transaction. On one connection, the write is part of the transaction of the decision that allows it.
import type pg from 'pg';
import type { SettingRequest } from '../../../domain/back-office/setting.ts';
import type { SettingWrite, WriteOutcome } from '../../../ports/setting-store.ts';
import type { Database } from '../connection/database.ts';
import { forgetNetworkIdentity } from '../networks/network-identity.ts';
import { requestErasure } from '../privacy/erasure-requests.ts';
import {
  pauseRail,
  railBeforeQuery,
  removeRoute,
  resumeRail,
  setCap,
  setRoute,
  trustRail,
} from '../rails/settings.ts';
import { confirmationBeforeQuery, confirmProfile } from '../statements/confirmed-profiles.ts';
import { makeBackOffice } from './back-office.ts';
import {
  addSpread,
  endDeskPrices,
  ratesBeforeQuery,
  type SettingStamp,
  setDeskPrices,
  spreadBeforeQuery,
  withdrawalBeforeQuery,
} from './rate-settings.ts';

export function databaseInTransaction(client: pg.ClientBase): Database {
  return {
    query: (query) => client.query(query),
    transaction: (work) => work(client),
    close: async () => undefined,
  };
}

export async function applySetting(
  database: Database,
  write: SettingWrite,
  doing: SettingStamp,
): Promise<WriteOutcome> {
  const backOffice = makeBackOffice(database);
  switch (write.setting) {
    case 'vendor_added': {
      const outcome = await backOffice.addVendor(write.vendor, doing);
      return outcome === 'added' ? 'done' : outcome;
    }
    case 'vendor_renamed':
    case 'vendor_enabled':
    case 'vendor_disabled': {
      const outcome = await backOffice.changeVendor(write.vendorId, write.change, doing);
      if (outcome === 'account_taken') return outcome;
      return outcome === 'changed' ? 'done' : 'not_there';
    }
    case 'vendor_source_set':
      return writeOutcome(await backOffice.setCreditSource(write, doing));
    case 'fee_set':
      await backOffice.addFee(write.fee, doing);
      return 'done';
    case 'limit_set':
      await backOffice.saveLimit(write.limit, doing);
      return 'done';
    case 'wallet_set':
      await backOffice.setDefaultWallet(write.businessId, write.mode, write.wallet, doing);
      return 'done';
    case 'business_frozen':
      return writeOutcome(await backOffice.freezeBusiness(write.businessId, write.mode, write.reason, doing));
    case 'freeze_lifted':
      return writeOutcome(await backOffice.liftFreeze(write.businessId, write.mode, write.reason, doing));
    case 'claim_limit_lifted':
      await backOffice.liftClaimLimit(write.businessId, write.mode, write.reason, doing);
      return 'done';
    case 'movements_paused':
    case 'movements_resumed':
      await backOffice.setMovementsPaused(write.setting === 'movements_paused', write.reason, doing);
      return 'done';
    case 'signing_resumed':
      // The stop of a signer is a file on each machine, so nothing is written here. The decision allows people to remove the
      // file.
      return 'done';
    case 'network_forgotten':
      return writeOutcome(await forgetNetworkIdentity(database, write, write.identity, doing));
    case 'rates_set':
      await setDeskPrices(database, write.rates, doing);
      return 'done';
    case 'rates_withdrawn':
      return writeOutcome(await endDeskPrices(database, write, doing));
    case 'spread_set':
      await addSpread(database, write.spread, doing);
      return 'done';
    case 'tier_set':
      return writeOutcome(await backOffice.setTier(write.businessId, write.tier, doing));
    case 'rail_paused':
    case 'rail_resumed':
    case 'rail_trusted':
    case 'rail_route_set':
    case 'rail_route_removed':
    case 'rail_cap_set':
      return writeOutcome(await applyRailSetting(database, write, doing));
    case 'statement_profile_confirmed':
      return writeOutcome(await confirmProfile(database, write, doing));
    case 'person_erased':
      return writeOutcome(await requestErasure(database, write, doing));
  }
}

function applyRailSetting(
  database: Database,
  write: Extract<SettingWrite, { readonly setting: `rail_${string}` }>,
  doing: SettingStamp,
): Promise<boolean> {
  switch (write.setting) {
    case 'rail_paused':
      return pauseRail(database, write, doing);
    case 'rail_resumed':
      return resumeRail(database, write, doing);
    case 'rail_trusted':
      return trustRail(database, write, doing);
    case 'rail_route_set':
      return setRoute(database, write, doing);
    case 'rail_route_removed':
      return removeRoute(database, write, doing);
    case 'rail_cap_set':
      return setCap(database, write, doing);
  }
}

function writeOutcome(changed: boolean): WriteOutcome {
  return changed ? 'done' : 'not_there';
}

/**
 * Returns the current value of a setting as one text. Inside a transaction, this also locks the rows that the value was read
 * from.
 */
export async function readSettingBefore(database: Database, request: SettingRequest): Promise<string> {
  const [text, values] = isRailRequest(request) ? railBeforeQuery(request) : settingBeforeQuery(request);
  const { rows } = await database.query<{ before: string }>({ text, values });
  return rows.map(({ before }) => before).join(' ');
}

type RailRequest = Extract<SettingRequest, { readonly setting: `rail_${string}` }>;

function isRailRequest(request: SettingRequest): request is RailRequest {
  return request.setting.startsWith('rail_');
}

function vendorBeforeQuery(
  request: Extract<SettingRequest, { readonly setting: `vendor_${string}` }>,
): [string, unknown[]] {
  switch (request.setting) {
    case 'vendor_added': {
      const { mode, number } = request.vendor;
      const text = `select id as before from vendors where mode = $1 and number = $2 and active order by id for update`;
      return [text, [mode, number]];
    }
    case 'vendor_renamed':
    case 'vendor_enabled':
    case 'vendor_disabled':
      return [
        'select json_build_array(name, active)::text as before from vendors where id = $1 for update',
        [request.vendorId],
      ];
    case 'vendor_source_set':
      return [
        `select json_build_array(v.active, s.source, s.version)::text as before from vendors v
          left join credit_sources s on s.mode = v.mode and s.account = v.bank_code || ':' || v.number where v.id = $1
          for update of v`,
        [request.vendorId],
      ];
  }
}

function settingBeforeQuery(request: Exclude<SettingRequest, RailRequest>): [string, unknown[]] {
  switch (request.setting) {
    case 'vendor_added':
    case 'vendor_renamed':
    case 'vendor_enabled':
    case 'vendor_disabled':
    case 'vendor_source_set':
      return vendorBeforeQuery(request);
    case 'fee_set': {
      const { mode, product, businessId } = request.fee;
      const text = `select coalesce(max(id), 0)::text as before from fees
        where mode = $1 and product = $2 and business_id is not distinct from $3`;
      return [text, [mode, product, businessId]];
    }
    case 'limit_set': {
      // A business without limits of its own has the default limits, so the first change starts from the default limits.
      const { mode, businessId } = request.limit;
      const text = `select json_build_array(business_id, per_transaction_minor, per_day_minor, per_month_minor)::text as before
        from limits where mode = $1 and (business_id is null or business_id = $2)
        order by business_id nulls first for update`;
      return [text, [mode, businessId]];
    }
    case 'wallet_set':
      return [
        `select json_build_array(network, address)::text as before from business_wallets
          where business_id = $1 and mode = $2 for update`,
        [request.businessId, request.mode],
      ];
    case 'business_frozen':
    case 'freeze_lifted':
      return [
        'select json_build_array(reason, at)::text as before from freezes where business_id = $1 and mode = $2 for update',
        [request.businessId, request.mode],
      ];
    case 'claim_limit_lifted':
      return [
        `select max(lifted_at)::text as before from claim_limit_lifts where business_id = $1 and mode = $2`,
        [request.businessId, request.mode],
      ];
    case 'movements_paused':
    case 'movements_resumed':
      // The text includes the time of the pause. So a pause that is newer than the proposal makes the proposal out of date.
      return [
        `select json_build_array(value, updated_at)::text as before from controls
          where name = 'movements_paused' for update`,
        [],
      ];
    case 'signing_resumed':
      return ['select $1::text as before', [request.note]];
    case 'network_forgotten':
      return ['select $1::text as before', [request.identity]];
    case 'rates_set':
      return ratesBeforeQuery(request);
    case 'rates_withdrawn':
      return withdrawalBeforeQuery(request);
    case 'spread_set':
      return spreadBeforeQuery(request);
    case 'tier_set':
      return ['select tier as before from businesses where id = $1 for update', [request.businessId]];
    case 'statement_profile_confirmed':
      return confirmationBeforeQuery(request);
    case 'person_erased':
      // The records of the person may have changed since the proposal. The erasure covers all finished records that are not
      // erased yet.
      return ['select $1::text as before', [request.person]];
  }
}
