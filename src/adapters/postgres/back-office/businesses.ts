// Stores businesses and their default wallets in PostgreSQL.
import type { Wallet } from '../../../domain/records/transaction.ts';
import type { BackOffice, SettingWrites, StoredBusiness } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import { answerIfTaken, type RunAudited } from './run-audited.ts';

export function makeBusinesses(
  database: Database,
  logged: RunAudited,
): Pick<BackOffice, 'addBusiness' | 'listBusinesses' | 'setDefaultWallet' | 'defaultWallet'> &
  Pick<SettingWrites, 'setTier'> {
  return {
    addBusiness: (business, doing) =>
      answerIfTaken(
        logged(doing, 'business_added', business, async (client) => {
          const { id, name, linkTag, sandbox } = business;
          await client.query(
            'insert into businesses (id, name, link_tag, sandbox, created_at) values ($1, $2, $3, $4, $5)',
            [id, name, linkTag, sandbox, new Date(doing.atMs)],
          );
          return 'added' as const;
        }),
        'link_tag_taken',
      ),
    listBusinesses: async () => {
      const { rows } = await database.query<StoredBusiness>({
        text: 'select id, name, link_tag as "linkTag", sandbox, tier from businesses order by id',
      });
      return rows;
    },
    setTier: (businessId, tier, doing) =>
      logged(doing, 'tier_set', { businessId, tier }, async (client) => {
        const { rowCount } = await client.query(
          'update businesses set tier = $2 where id = $1 and tier <> $2',
          [businessId, tier],
        );
        return rowCount === 1;
      }),
    defaultWallet: async (businessId, mode) => {
      const { rows } = await database.query<Wallet>({
        text: 'select network, address from business_wallets where business_id = $1 and mode = $2',
        values: [businessId, mode],
      });
      return rows[0] ?? null;
    },
    setDefaultWallet: (businessId, mode, wallet, doing) =>
      logged(doing, 'default_wallet_set', { businessId, mode, wallet }, async (client) => {
        await client.query('delete from business_wallets where business_id = $1 and mode = $2', [
          businessId,
          mode,
        ]);
        if (wallet === null) return;
        await client.query(
          `insert into business_wallets (business_id, mode, network, address, updated_at)
           values ($1, $2, $3, $4, $5)`,
          [businessId, mode, wallet.network, wallet.address, new Date(doing.atMs)],
        );
      }),
  };
}
