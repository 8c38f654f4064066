// Secret keys on the command line. A key is printed once, when it is made.
import { recordRead } from '../../app/audit/record-read.ts';
import { issueKey, revokeKey, rollKey } from '../../app/back-office/manage-keys.ts';
import type { StoredKey } from '../../ports/back-office.ts';
import {
  type Command,
  CommandError,
  durationOption,
  modeOption,
  readOptions,
  required,
  table,
} from '../command.ts';
import { requirePerson } from '../who.ts';

const SHOWN_ONCE = 'Store the key now: it is shown this once, and only its hash is kept.';

export const keyCommands: readonly Command[] = [
  {
    name: 'keys list',
    usage: '[--business ID]',
    summary: 'List keys with their business, mode and state.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { business: 'text' });
      return terminal.withFoundation(async (foundation) => {
        const { backOffice, clock } = foundation;
        if (options.business !== undefined)
          await recordRead(foundation, foundation.actor, options.business, 'keys list');
        const keys = await backOffice.listKeys(options.business);
        if (keys.length === 0) {
          terminal.print('No keys yet. Make one: bin/sliproad keys add --business ID --mode live|test');
          return;
        }
        const rows = keys.map((key) => [
          key.id,
          key.businessId,
          key.mode,
          `${key.hint}…`,
          stateOf(key, clock.now()),
        ]);
        terminal.print(table([['KEY_ID', 'BUSINESS_ID', 'MODE', 'KEY', 'STATE'], ...rows]));
      });
    },
  },
  {
    name: 'keys add',
    usage: '--business ID --mode live|test',
    summary: 'Make a key.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { business: 'text', mode: 'text' });
      const businessId = required(options.business, '--business');
      const mode = modeOption(options.mode);
      return terminal.withFoundation(async (foundation) => {
        const issued = await issueKey(foundation, businessId, mode);
        if (issued === undefined) {
          throw new CommandError(`There is no business ${businessId}. See: bin/sliproad businesses list`);
        }
        terminal.print(`key_id  ${issued.id}\nkey     ${issued.secretKey}\n${SHOWN_ONCE}`);
      });
    },
  },
  {
    name: 'keys roll',
    usage: 'KEY_ID [--overlap 24h]',
    summary: 'Replace a key: make a new key, and let the old one work for the overlap, then end.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { overlap: 'text' }, 1);
      const keyId = required(rest[0], 'KEY_ID');
      const overlapMs = durationOption(options.overlap ?? '24h', '--overlap');
      return terminal.withFoundation(async (foundation) => {
        const known = (await foundation.backOffice.listKeys()).find(({ id }) => id === keyId);
        if (known?.mode === 'live') requirePerson(foundation);
        const issued = await rollKey(foundation, keyId, overlapMs);
        if (issued === undefined)
          throw new CommandError(`${keyId} is not an active key. See: bin/sliproad keys list`);
        terminal.print(`key_id  ${issued.id}\nkey     ${issued.secretKey}\n${SHOWN_ONCE}`);
        const old = (await foundation.backOffice.listKeys()).find(({ id }) => id === keyId);
        // A key that was rolled before keeps its earlier end, so the stored time is shown.
        if (old?.expiresAtMs != null)
          terminal.print(`${keyId} stops working at ${new Date(old.expiresAtMs).toISOString()}.`);
      });
    },
  },
  {
    name: 'keys revoke',
    usage: 'KEY_ID',
    summary: 'Revoke a key. It stops working at once, in every process.',
    run: (terminal, args) => {
      const keyId = required(readOptions(args, {}, 1).rest[0], 'KEY_ID');
      return terminal.withFoundation(async (foundation) => {
        if (!(await revokeKey(foundation, keyId))) {
          throw new CommandError(
            `${keyId} does not exist or is revoked already. See: bin/sliproad keys list`,
          );
        }
        terminal.print(`${keyId} is revoked.`);
      });
    },
  },
];

function stateOf(key: StoredKey, nowMs: number): string {
  if (key.revokedAtMs !== null) return `revoked ${new Date(key.revokedAtMs).toISOString()}`;
  if (key.expiresAtMs === null) return 'active';
  const word = key.expiresAtMs <= nowMs ? 'ended' : 'active until';
  return `${word} ${new Date(key.expiresAtMs).toISOString()}`;
}
