// The command-line commands for secret keys. A key is printed only once, when it is created.
import { recordRead } from '../../app/audit/record-actions.ts';
import {
  checkKeyName,
  type IssuedKey,
  issueKey,
  revokeKey,
  rollKey,
} from '../../app/back-office/manage-keys.ts';
import { KEY_SCOPES, UNNAMED_FULL_KEY } from '../../domain/catalogue/secret-keys.ts';
import type { StoredKey } from '../../ports/back-office.ts';
import { renderIssuedKey, renderKey } from '../../renderings/keys.ts';
import {
  type Command,
  defineCommand,
  durationOption,
  isoTimeText,
  printTable,
  REQUIRED_MODE,
  type Terminal,
} from '../command.ts';
import { CommandError, UsageError } from '../terminal/command-error.ts';
import { requirePerson } from '../terminal-user.ts';

const SHOWN_ONCE = 'Store the key now. It is not shown again: the service keeps only its hash.';

const listCommand = defineCommand({
  name: 'keys list',
  summary: 'List keys with their business, mode and state.',
  options: { business: { value: 'ID', about: 'only this business' } },
  run: (terminal, { options: { business } }) =>
    terminal.withFoundation(async (foundation) => {
      const { backOffice, clock } = foundation;
      if (business !== undefined) await recordRead(foundation, foundation.actor, business, 'keys list');
      const keys = await backOffice.listKeys(business);
      const rows = keys.map((key) => [
        ...[key.id, key.businessId, key.mode, `${key.hint}…`, stateOf(key, clock.now()), key.scope],
        ...[key.lastUsedAtMs === null ? 'never' : isoTimeText(key.lastUsedAtMs), key.name],
      ]);
      if (rows.length === 0)
        terminal.print('No keys yet. Create one: bin/sliproad keys add --business ID --mode live|test');
      else
        printTable(terminal, [
          ['KEY_ID', 'BUSINESS_ID', 'MODE', 'KEY', 'STATE', 'SCOPE', 'LAST_USED', 'NAME'],
          ...rows,
        ]);
      return { keys: keys.map(renderKey) };
    }),
});

const addCommand = defineCommand({
  name: 'keys add',
  summary: 'Create a key.',
  options: {
    business: { value: 'ID', needed: true, about: 'owner of the key' },
    mode: REQUIRED_MODE,
    name: { value: 'TEXT', about: 'name of the key' },
    scope: { choices: KEY_SCOPES, about: 'read allows only GET requests (default: full)' },
  },
  run: (
    terminal,
    { options: { business, mode, name: given = UNNAMED_FULL_KEY.name, scope = UNNAMED_FULL_KEY.scope } },
  ) =>
    terminal.withFoundation(async (foundation) => {
      const name = checkKeyName(given);
      if (!name.ok) throw new UsageError(`--${name.error.message}`);
      const issued = await issueKey(foundation, business, mode, { name: name.value, scope });
      if (issued === undefined)
        throw new CommandError(
          `There is no business ${business}. See: bin/sliproad businesses list`,
          'not_found',
        );
      return showKey(terminal, issued);
    }),
});

const rollCommand = defineCommand({
  name: 'keys roll',
  words: ['KEY_ID'],
  summary:
    'Replace a key: create a new one; the old one expires after the overlap. A key that was already rolled keeps its earlier expiry.',
  options: {
    overlap: { value: 'DURATION', about: 'how long the old key stays valid (default: 24h)' },
  },
  run: async (terminal, { words: [keyId], options }) => {
    const overlapMs = durationOption(options.overlap ?? '24h', '--overlap');
    return terminal.withFoundation(async (foundation) => {
      const { backOffice, clock } = foundation;
      const before = (await backOffice.listKeys()).find(({ id }) => id === keyId);
      if (before?.mode === 'live') requirePerson(foundation);
      const askedMs = clock.now() + overlapMs;
      const issued = await rollKey(foundation, keyId, overlapMs);
      if (issued === undefined) throw notActiveError(before, keyId, clock.now());
      const made = showKey(terminal, issued);
      const old = (await backOffice.listKeys()).find(({ id }) => id === keyId)!;
      const ends = old.expiresAtMs === null ? null : isoTimeText(old.expiresAtMs);
      const earlier = before?.expiresAtMs != null && before.expiresAtMs < askedMs;
      terminal.print(
        earlier
          ? `${keyId} was already rolled and keeps its earlier expiry: it stops working at ${ends}. --overlap cannot extend it.`
          : `${keyId} stops working at ${ends}.`,
      );
      return { ...made, replaced: renderKey(old), kept_earlier_end: earlier };
    });
  },
});

const revokeCommand = defineCommand({
  name: 'keys revoke',
  words: ['KEY_ID'],
  summary: 'Revoke a key. It stops working immediately, in every process.',
  run: (terminal, { words: [keyId] }) =>
    terminal.withFoundation(async (foundation) => {
      const known = (await foundation.backOffice.listKeys()).find(({ id }) => id === keyId);
      if (!(await revokeKey(foundation, keyId)))
        throw new CommandError(
          `${keyId} does not exist or is already revoked. See: bin/sliproad keys list`,
          known === undefined ? 'not_found' : 'conflict',
        );
      terminal.print(`${keyId} is revoked.`);
      const revoked = (await foundation.backOffice.listKeys()).find(({ id }) => id === keyId)!;
      return { key: renderKey(revoked) };
    }),
});

export const keyCommands: readonly Command[] = [listCommand, addCommand, rollCommand, revokeCommand];

function showKey(terminal: Terminal, issued: IssuedKey) {
  terminal.print(`key_id  ${issued.id}\nkey     ${issued.secretKey}\n${SHOWN_ONCE}`);
  return renderIssuedKey(issued);
}

function notActiveError(key: StoredKey | undefined, keyId: string, nowMs: number): CommandError {
  const see = 'See: bin/sliproad keys list';
  if (key === undefined) return new CommandError(`There is no key ${keyId}. ${see}`, 'not_found');
  return new CommandError(`${keyId} is not an active key (${stateOf(key, nowMs)}). ${see}`, 'conflict');
}

function stateOf(key: StoredKey, nowMs: number): string {
  if (key.revokedAtMs !== null) return `revoked ${isoTimeText(key.revokedAtMs)}`;
  if (key.expiresAtMs === null) return 'active';
  const word = key.expiresAtMs <= nowMs ? 'ended' : 'active until';
  return `${word} ${isoTimeText(key.expiresAtMs)}`;
}
