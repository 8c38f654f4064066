// What each command needs: one entry for every command, and main.ts asks it before the command runs. What a role may do is
// decided by the table in domain/people/roles.ts.
import type { OperatorPermission } from '../domain/people/roles.ts';

export type Access =
  /** Needed before there are people, without the database or on a broken one, or stops something at once: no sign-in. */
  | 'machine'
  /** By a person who is signed in, or else by the user of the operating system; recorded with that name. */
  | 'read'
  | {
      readonly permission: OperatorPermission;
      /**
       * `always`: only by a person. `live`: in live mode only by a person. `use_case`: the use-case knows the mode of the
       * record and asks for a person itself.
       */
      readonly signIn: 'always' | 'live' | 'use_case';
    };

const propose = { permission: 'money.propose', signIn: 'always' } as const;
const decide = { permission: 'money.approve', signIn: 'always' } as const;
const setting = { permission: 'settings.propose', signIn: 'use_case' } as const;
const keys = { permission: 'businesses.manage', signIn: 'live' } as const;
const people = { permission: 'people.manage', signIn: 'always' } as const;

export const ACCESS: Readonly<Record<string, Access>> = {
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
  // These must work on a log that is broken, and show no business's data; an export is recorded by itself.
  'audit verify': 'machine',
  'audit export': 'machine',
  'mails list': 'read',
  'businesses list': 'read',
  'businesses add': { permission: 'businesses.manage', signIn: 'use_case' },
  'businesses wallet': { permission: 'businesses.manage', signIn: 'live' },
  'keys list': 'read',
  'keys add': keys,
  'keys roll': { permission: 'businesses.manage', signIn: 'use_case' },
  'keys revoke': { permission: 'money.stop', signIn: 'use_case' },
  'vendors list': 'read',
  'vendors add': setting,
  'vendors rename': setting,
  'vendors enable': setting,
  'vendors disable': setting,
  'rates show': 'read',
  'rates set': { permission: 'settings.propose', signIn: 'live' },
  'fees list': 'read',
  'fees set': setting,
  'limits list': 'read',
  'limits set': setting,
  'ledger check': 'machine',
  'ledger balances': 'read',
  'ledger explain': 'read',
  'ledger fund': { permission: 'money.propose', signIn: 'live' },
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
  'freezes lift': setting,
  'cases list': 'read',
  'cases close': setting,
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
  backup: 'machine',
  restore: 'machine',
};

/** The entry of a command, or of the group that it belongs to (`reviews propose match`: `reviews propose`). */
export function accessOf(command: string): Access {
  const words = command.split(' ');
  for (let count = words.length; count > 0; count--) {
    const found = ACCESS[words.slice(0, count).join(' ')];
    if (found !== undefined) return found;
  }
  throw new Error(`the command "${command}" has no entry in cli/access.ts`);
}
