// Businesses on the command line. Separate commands show, set and remove a default wallet, so that a command that shows a
// wallet never deletes it.
import { recordRead } from '../../app/audit/record-actions.ts';
import { addBusiness, checkDefaultWallet } from '../../app/back-office/manage-businesses.ts';
import { readBusinessTerms } from '../../app/operations/read-business-terms.ts';
import { STANDARD_TIER } from '../../domain/rates/spread.ts';
import type { Wallet } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { renderBusiness, renderWallet, VOLUME_MS } from '../../renderings/businesses.ts';
import type { DescribedFoundation } from '../../wire/foundation.ts';
import { type Command, defineCommand, MODE, printTable, REQUIRED_MODE, type Terminal } from '../command.ts';
import { readEveryRow } from '../ledger-tables.ts';
import { CommandError, refusalError } from '../terminal/command-error.ts';
import { requestSettingChange } from './decision-words.ts';

const BUSINESS = { value: 'ID', needed: true, about: 'the business (businesses list)' } as const;

const listCommand = defineCommand({
  name: 'businesses list',
  summary: 'List the businesses.',
  options: { mode: { ...MODE, about: 'mode of the volumes, limits and fees in --json (default: test)' } },
  run: (terminal, { options: { mode = 'test' } }) =>
    terminal.withFoundation(async (foundation) => {
      const { backOffice, operations, clock } = foundation;
      const businesses = await backOffice.listBusinesses();
      if (businesses.length === 0)
        terminal.print('No businesses yet. Add one: bin/sliproad businesses add --name NAME --link-tag TAG');
      else
        printTable(terminal, [
          ['BUSINESS_ID', 'LINK_TAG', 'TIER', 'NAME'],
          ...businesses.map(({ id, linkTag, tier, name }) => [id, linkTag, tier, name]),
        ]);
      const sinceMs = clock.now() - VOLUME_MS;
      const rows = await readEveryRow((page) => operations.listBusinesses({ mode, sinceMs, ...page }));
      const termsOf = await readBusinessTerms(foundation, mode);
      return { businesses: rows.map((row) => renderBusiness(row, termsOf(row.id))) };
    }),
});

const addCommand = defineCommand({
  name: 'businesses add',
  summary: 'Register a business.',
  options: {
    name: { value: 'NAME', needed: true, about: 'the display name' },
    'link-tag': { value: 'TAG', needed: true, about: '3 to 40 characters of a-z, 0-9 and hyphen' },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      const given = { name: options.name, linkTag: options['link-tag'], sandbox: false };
      const added = await addBusiness(foundation, given);
      if (!added.ok) throw refusalError(added.error);
      terminal.print(`business_id  ${added.value.id}\nlink_tag     ${added.value.linkTag}`);
      terminal.print(`Next: bin/sliproad keys add --business ${added.value.id} --mode test`);
      return { business: await readBusiness(foundation, added.value.id, 'test') };
    }),
});

const showWallet = defineCommand({
  name: 'businesses wallet show',
  summary: 'Show the default wallet, which receives the tokens of buys that name no wallet.',
  options: { business: BUSINESS, mode: REQUIRED_MODE },
  run: (terminal, { options: { business: businessId, mode } }) =>
    terminal.withFoundation(async (foundation) => {
      await requireBusiness(foundation, businessId);
      await recordRead(foundation, foundation.actor, businessId, 'businesses wallet show');
      const wallet = await foundation.backOffice.defaultWallet(businessId, mode);
      if (wallet !== null) printWallet(terminal, wallet);
      else
        terminal.print(
          `No default wallet. To set one: bin/sliproad businesses wallet set --business ${businessId} --mode ${mode} --network NAME --address WALLET`,
        );
      return { default_wallet: wallet && renderWallet(wallet) };
    }),
});

const setWallet = defineCommand({
  name: 'businesses wallet set',
  summary:
    'Set the default wallet, which receives the tokens of buys that name no wallet. In live mode another person must approve.',
  options: {
    business: BUSINESS,
    mode: REQUIRED_MODE,
    network: { value: 'NAME', needed: true, about: 'the network of the wallet' },
    address: { value: 'WALLET', needed: true, about: 'the address of the wallet' },
  },
  run: (terminal, { options: { business: businessId, mode, network, address } }) =>
    terminal.withFoundation(async (foundation) => {
      const checked = await checkDefaultWallet(foundation, { businessId, mode, network, address });
      if (!checked.ok) throw refusalError(checked.error);
      const { value: wallet } = checked;
      const { write, json } = await requestSettingChange(terminal, foundation, {
        ...{ setting: 'wallet_set', businessId, mode, wallet },
      });
      if (write !== undefined && wallet !== null) printWallet(terminal, wallet);
      return json;
    }),
});

const removeWallet = defineCommand({
  name: 'businesses wallet remove',
  summary: 'Remove the default wallet. In live mode another person must approve.',
  options: { business: BUSINESS, mode: REQUIRED_MODE },
  run: (terminal, { options: { business: businessId, mode } }) =>
    terminal.withFoundation(async (foundation) => {
      await requireBusiness(foundation, businessId);
      if ((await foundation.backOffice.defaultWallet(businessId, mode)) === null)
        throw new CommandError(`${businessId} has no default wallet in ${mode} mode.`, 'not_found');
      const { write, json } = await requestSettingChange(terminal, foundation, {
        ...{ setting: 'wallet_set', businessId, mode, wallet: null },
      });
      if (write !== undefined) terminal.print('Default wallet removed.');
      return json;
    }),
});

const setTier = defineCommand({
  name: 'businesses tier set',
  summary:
    'Set the tier of a business in both modes. The tier decides its spreads. Another person must approve.',
  options: {
    business: BUSINESS,
    tier: { value: 'NAME', needed: true, about: `the tier; ${STANDARD_TIER} is the default tier` },
  },
  run: (terminal, { options: { business: businessId, tier } }) =>
    terminal.withFoundation(
      async (foundation) =>
        (await requestSettingChange(terminal, foundation, { setting: 'tier_set', businessId, tier })).json,
    ),
});

export const businessCommands: readonly Command[] = [
  ...[listCommand, addCommand, showWallet, setWallet, removeWallet, setTier],
];

async function readBusiness(foundation: DescribedFoundation, id: string, mode: Mode) {
  const sinceMs = foundation.clock.now() - VOLUME_MS;
  const row = (await foundation.operations.findBusiness(id, mode, sinceMs))!;
  return renderBusiness(row, (await readBusinessTerms(foundation, mode))(id));
}

async function requireBusiness({ backOffice }: DescribedFoundation, businessId: string): Promise<void> {
  if ((await backOffice.listBusinesses()).some(({ id }) => id === businessId)) return;
  throw new CommandError(
    `There is no business ${businessId}. See: bin/sliproad businesses list`,
    'not_found',
  );
}

function printWallet(terminal: Terminal, { network, address }: Wallet): void {
  terminal.print(`Default wallet: ${network} ${address}`);
}
