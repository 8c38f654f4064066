// Businesses and their default wallets in PostgreSQL.
import type { Mode } from '../../../domain/values/mode.ts';
import type { BackOffice, NewBusiness } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import { type Logged, unlessTaken } from './logged.ts';

/** One row for each default wallet, and one when there is none. */
interface FoundRow {
  readonly name: string;
  readonly linkTag: string;
  readonly mode: Mode | null;
  readonly network: string | null;
  readonly address: string | null;
}

export function businesses(
  database: Database,
  logged: Logged,
): Pick<BackOffice, 'addBusiness' | 'listBusinesses' | 'findBusiness' | 'setDefaultWallet'> {
  return {
    addBusiness: (business, doing) =>
      unlessTaken(
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
      const { rows } = await database.query<NewBusiness>({
        text: 'select id, name, link_tag as "linkTag", sandbox from businesses order by id',
      });
      return rows;
    },
    findBusiness: async (id) => {
      const { rows } = await database.query<FoundRow>({
        text: `select b.id, b.name, b.link_tag as "linkTag", w.mode, w.network, w.address
               from businesses b left join business_wallets w on w.business_id = b.id where b.id = $1`,
        values: [id],
      });
      const [first] = rows;
      if (first === undefined) return undefined;
      const wallets = rows.flatMap(({ mode, network, address }) =>
        mode === null ? [] : [[mode, { network: network!, address: address! }] as const],
      );
      const { name, linkTag } = first;
      return { id, name, linkTag, defaultWallets: Object.fromEntries(wallets) };
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
