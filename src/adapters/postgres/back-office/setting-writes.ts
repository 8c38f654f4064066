// The writes of settings, and what each of them would change. They run on whatever database they are given: on the pool, each
// in a transaction of its own; or on a connection, inside the transaction of the decision that allows them.
import type pg from 'pg';
import type { SettingRequest } from '../../../domain/back-office/setting.ts';
import type { Doing } from '../../../ports/back-office.ts';
import type { SettingWrite, WriteOutcome } from '../../../ports/setting-desk.ts';
import type { Database } from '../connection/database.ts';
import { forgetNetworkIdentity } from '../networks/network-identity.ts';
import { makeBackOffice } from './back-office.ts';

/** A database whose every statement belongs to the transaction of this connection. */
export function insideTransaction(client: pg.ClientBase): Database {
  return {
    query: (query) => client.query(query),
    transaction: (work) => work(client),
    close: async () => undefined,
  };
}

export async function applySetting(
  database: Database,
  write: SettingWrite,
  doing: Doing,
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
    case 'fee_set':
      await backOffice.addFee(write.fee, doing);
      return 'done';
    case 'limit_set':
      await backOffice.saveLimit(write.limit, doing);
      return 'done';
    case 'wallet_set':
      await backOffice.setDefaultWallet(write.businessId, write.mode, write.wallet, doing);
      return 'done';
    case 'freeze_lifted':
      return there(await backOffice.liftFreeze(write.businessId, write.mode, write.reason, doing));
    case 'case_closed':
      return there(await backOffice.closeCase(write.caseId, write.reason, doing));
    case 'movements_paused':
    case 'movements_resumed':
      await backOffice.setMovementsPaused(write.setting === 'movements_paused', write.reason, doing);
      return 'done';
    case 'signing_resumed':
      // The stop is a file on each machine, and the decision is what allows to remove it.
      return 'done';
    case 'network_forgotten':
      return there(await forgetNetworkIdentity(database, write, write.identity, doing));
  }
}

function there(changed: boolean): WriteOutcome {
  return changed ? 'done' : 'not_there';
}

/** One text, and a lock on the rows it was read from when it is asked inside a transaction. */
export async function settingBefore(database: Database, request: SettingRequest): Promise<string> {
  const [text, values] = beforeQuery(request);
  const { rows } = await database.query<{ before: string }>({ text, values });
  return rows.map(({ before }) => before).join(' ');
}

function beforeQuery(request: SettingRequest): [string, unknown[]] {
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
    case 'fee_set': {
      const { mode, product, businessId } = request.fee;
      const text = `select coalesce(max(id), 0)::text as before from fees
        where mode = $1 and product = $2 and business_id is not distinct from $3`;
      return [text, [mode, product, businessId]];
    }
    case 'limit_set': {
      // The first limits of a business begin as the general ones.
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
    case 'freeze_lifted':
      return [
        'select json_build_array(reason, at)::text as before from freezes where business_id = $1 and mode = $2 for update',
        [request.businessId, request.mode],
      ];
    case 'case_closed':
      return [
        `select json_build_array(amount_minor, opened_at)::text as before from cases
          where id = $1 and closed_at is null for update`,
        [request.caseId],
      ];
    case 'movements_paused':
    case 'movements_resumed':
      // A pause that came after the proposal is another one.
      return [
        `select json_build_array(value, updated_at)::text as before from controls
          where name = 'movements_paused' for update`,
        [],
      ];
    case 'signing_resumed':
      return ['select $1::text as before', [request.note]];
    case 'network_forgotten':
      return ['select $1::text as before', [request.identity]];
  }
}
