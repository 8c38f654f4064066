// The access rule of each command. main.ts checks it before the command runs. The table in domain/people/roles.ts decides what a
// role may do.
import type { OperatorPermission } from '../domain/people/roles.ts';

export type CommandAccess =
  /**
   * The command needs no sign-in. Either the command must work before any person exists or without a healthy database, or it is
   * an emergency stop.
   */
  | 'machine'
  /**
   * The command only reads. The audit log records the signed-in person or, without a sign-in, the user of the operating system.
   */
  | 'read'
  | {
      readonly permission: OperatorPermission;
      /**
       * When a person must be signed in: with `always` in both modes, with `live` only in live mode. With `use_case`, the use
       * case checks the sign-in, because it knows the mode of the record.
       */
      readonly signIn: 'always' | 'live' | 'use_case';
    };

const propose = { permission: 'money.propose', signIn: 'always' } as const;
const decide = { permission: 'money.approve', signIn: 'always' } as const;
const setting = { permission: 'settings.propose', signIn: 'use_case' } as const;
const keys = { permission: 'businesses.manage', signIn: 'live' } as const;
const people = { permission: 'people.manage', signIn: 'always' } as const;

export const ACCESS: Readonly<Record<string, CommandAccess>> = {
  serve: 'machine',
  migrate: 'machine',
  // These commands call the API of the service, which checks their key.
  buy: 'machine',
  sell: 'machine',
  pay: 'machine',
  quote: 'machine',
  status: 'machine',
  trigger: 'machine',
  listen: 'machine',
  'events tail': 'machine',
  'transactions search': 'machine',
  'transactions export': 'machine',
  'banks account': 'machine',
  login: 'machine',
  logout: 'machine',
  whoami: 'machine',
  'people create-admin': 'machine',
  'people list': 'read',
  'people invite': people,
  'people role': people,
  'people disable': people,
  'people enable': people,
  'people reset': people,
  'secrets make-key': 'machine',
  'secrets rotate': 'machine',
  'secrets drop-old-keys': 'machine',
  'audit list': 'read',
  // These commands must work even if the audit log is broken, and they show no data of a business. The audit log records every
  // export.
  'audit verify': 'machine',
  'audit export': 'machine',
  'mails list': 'read',
  'businesses list': 'read',
  'businesses add': { permission: 'businesses.manage', signIn: 'use_case' },
  'businesses wallet show': 'read',
  'businesses wallet set': { permission: 'businesses.manage', signIn: 'live' },
  'businesses wallet remove': { permission: 'businesses.manage', signIn: 'live' },
  'businesses tier set': setting,
  'keys list': 'read',
  'keys add': keys,
  'keys roll': { permission: 'businesses.manage', signIn: 'use_case' },
  'keys revoke': { permission: 'money.stop', signIn: 'use_case' },
  'vendors list': 'read',
  'vendors add': setting,
  'vendors rename': setting,
  'vendors source': setting,
  'vendors enable': setting,
  'vendors disable': setting,
  'rails list': 'read',
  'rails show': 'read',
  'rails routes': 'read',
  'rails route set': setting,
  'rails route remove': setting,
  'rails cap': setting,
  'rails pause': { permission: 'money.stop', signIn: 'use_case' },
  'rails resume': setting,
  'rails trust': setting,
  'rails events': 'read',
  'rails events try-again': { permission: 'money.propose', signIn: 'use_case' },
  'rails events close': { permission: 'money.propose', signIn: 'use_case' },
  'rates sources': 'read',
  'rates book': 'read',
  'rates history': 'read',
  'rates set': { permission: 'settings.propose', signIn: 'live' },
  'rates withdraw': { permission: 'money.stop', signIn: 'use_case' },
  'rates spread list': 'read',
  'rates spread set': setting,
  'quotes list': 'read',
  'fees list': 'read',
  'fees set': setting,
  'limits list': 'read',
  'limits set': setting,
  'ledger check': 'machine',
  'ledger balances': 'read',
  'ledger explain': 'read',
  'ledger fund': { permission: 'money.propose', signIn: 'live' },
  'ledger unfund': propose,
  'naira accounts': 'read',
  'naira put-in': propose,
  'naira take-out': propose,
  'naira move': propose,
  'naira charge': propose,
  'reviews list': 'read',
  'reviews show': 'read',
  'reviews propose': propose,
  'reviews approve': decide,
  'reviews decline': decide,
  'reviews withdraw': propose,
  'reviews reject': propose,
  'sends cancel': propose,
  'halts list': 'read',
  'freezes list': 'read',
  'freezes add': { permission: 'money.stop', signIn: 'use_case' },
  'freezes lift': setting,
  'cases list': 'read',
  'enquiries list': 'read',
  'matching backtest': 'read',
  'matching limits': 'read',
  'matching lift-limit': setting,
  'statements import': { permission: 'money.propose', signIn: 'live' },
  'statements list': 'read',
  'statements show': 'read',
  'statements confirm': setting,
  'statements doubts': 'read',
  'statements uncertain': 'read',
  'statements profiles': 'read',
  'travel-rule list': 'read',
  'travel-rule export': 'read',
  'cases show': 'read',
  'privacy status': 'read',
  'privacy export': { permission: 'audit.read', signIn: 'use_case' },
  'privacy erase': setting,
  // The command compares the books with the statements and opens cases, as the service does every day.
  reconcile: 'read',
  'reconcile show': 'read',
  'reconcile holidays': 'read',
  'reconcile holidays set': { permission: 'reconciliation.run', signIn: 'always' },
  'reconcile holidays remove': { permission: 'reconciliation.run', signIn: 'always' },
  'reports threshold': 'read',
  treasury: 'read',
  'movements status': 'read',
  'movements pause': { permission: 'money.stop', signIn: 'use_case' },
  'movements resume': setting,
  'networks check': 'read',
  'networks set-up': 'machine',
  'networks reread': { permission: 'settings.propose', signIn: 'use_case' },
  'networks forget': setting,
  'signer create-key': 'machine',
  'signer import-key': 'machine',
  'signer keys': 'machine',
  'signer change-passphrase': 'machine',
  'signer stop': 'machine',
  'signer resume': setting,
  'signer status': 'machine',
  'banks search': 'machine',
  // The doctor must work while the database is down. If the database is up, the audit log records what the doctor reads.
  doctor: 'machine',
  completion: 'machine',
  backup: 'machine',
  restore: 'machine',
};

/**
 * Returns the access rule of a command. A command without its own rule has the rule of its group: `reviews propose match` has
 * the rule of `reviews propose`.
 */
export function accessOf(command: string): CommandAccess {
  const words = command.split(' ');
  for (let count = words.length; count > 0; count--) {
    const found = ACCESS[words.slice(0, count).join(' ')];
    if (found !== undefined) return found;
  }
  throw new Error(`the command "${command}" has no entry in cli/access.ts`);
}
