// Two stores to compare with the real store. One stores nothing, and the other runs one plain database transaction per request.
import type { Database } from '../src/adapters/postgres/connection/database.ts';
import type { Acceptance } from '../src/ports/store/acceptance.ts';
import type { Store } from '../src/ports/store/store.ts';

const unused = () => Promise.reject(new Error('not part of this benchmark'));

/** The methods of the store that the acceptance of a transaction needs. The measured routes call only these methods. */
type Door = Pick<Store, 'accept' | 'findRepeated'>;

function onlyAccept(accept: Store['accept']): Store {
  const door: Door = { accept, findRepeated: unused };
  return door as Store;
}

export function storeNothing(): Store {
  return onlyAccept(async () => ({ kind: 'created' }));
}

/** Behaves like a service without group commit: it begins, inserts and commits for each request. */
export function plainStore(database: Database): Store {
  return onlyAccept(async (acceptance) => {
    await database.transaction(async (client) => {
      await client.query({ name: 'plain-transaction', text: INSERT_TRANSACTION, values: values(acceptance) });
    });
    return { kind: 'created' };
  });
}

const INSERT_TRANSACTION = `
with facts as (
  insert into transactions (id, business_id, mode, type, reference, link_tag, amount_minor, fee_minor, account_number,
    account_name, bank_name, bank_code, flags, vendor_id, vendor_name, vendor_number, vendor_bank, body_hash, key_id,
    created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $21, $22, $23, $24)
), claims as (
  insert into open_claims (transaction_id, mode, vendor_number, account_number, amount_minor, expires_at, reference)
  select $1, $3, $17, $10, $8, $24::timestamptz, $5 where $4 = 'buy'
)
insert into transaction_states (transaction_id, business_id, mode, type, created_at, state, version, due_at, updated_at,
  network, wallet_address)
values ($1, $2, $3, $4, $23, $7, 1, $24, $23, $19, $20)`;

function values({ transaction: t, bodyHash, keyId }: Acceptance): unknown[] {
  return [
    t.id,
    t.businessId,
    t.mode,
    t.type,
    t.reference,
    t.linkTag,
    t.state,
    t.amountMinor,
    t.feeMinor,
    t.accountNumber,
    t.accountName,
    t.bankName,
    t.bankCode,
    t.flags,
    t.vendor?.vendorId,
    t.vendor?.name,
    t.vendor?.number,
    t.vendor?.bank,
    t.wallet?.network,
    t.wallet?.address,
    bodyHash,
    keyId,
    new Date(t.createdAtMs),
    new Date(t.expiresAtMs),
  ];
}
