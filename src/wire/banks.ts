// Opens the bank rails of this process: the rails of BANKS_FILE in the order of the file. In test mode, the simulated bank
// comes after them.
import { loadBankDirectory } from '../adapters/catalogue/bank-directory.ts';
import type { NetworksFile } from '../adapters/networks/settings/networks-file.ts';
import type { OpenableRail, RailDeps } from '../adapters/rails/rail-kind.ts';
import { makeBanks, RAIL_KINDS, watchEnquiries } from '../adapters/rails/registry.ts';
import { readBanksFile, titleOfBanksFile } from '../adapters/rails/settings/banks-file.ts';
import type { SimulatedBank } from '../adapters/rails/simulated/bank.ts';
import { SettingsError } from '../adapters/settings-problems.ts';
import type { RailsEnabled } from '../app/input/caller.ts';
import { type Config, ConfigError } from '../config.ts';
import { MODES, type Mode } from '../domain/values/mode.ts';
import type { CatalogueSnapshot } from '../ports/catalogue.ts';
import type { NetworkDescription, Networks } from '../ports/networks/network.ts';
import type { RailRegistry } from '../ports/rails/rail.ts';
import { lazy } from './lazy.ts';

export { loadBankDirectory };

/** If the banks file is invalid, throws a SettingsError with a message for the operator. */
export function readRailSettings({ banksFile }: Pick<Config, 'banksFile'>): readonly OpenableRail[] {
  if (banksFile === null) return [];
  const { file: location, variable: variables } = banksFile;
  return readBanksFile({ location, variables, kinds: RAIL_KINDS, directory: loadBankDirectory() });
}

/**
 * Opening the rails makes no call to a bank. The preferred rail comes first. An invalid file is reported at once, or, with
 * `lazily`, when a rail is first needed. A command that stops money must work even if the file is invalid.
 */
export function openBanks(
  config: Pick<Config, 'banksFile'>,
  deps: RailDeps & { readonly simulatedBank: SimulatedBank },
  { lazily = false }: { readonly lazily?: boolean } = {},
): RailRegistry {
  const opened = lazy(() => {
    const rails = readRailSettings(config);
    const open = (mode: Mode) =>
      rails.filter((each) => each.mode === mode).map((each) => watchEnquiries(each.open(deps), deps.clock));
    return makeBanks({ live: open('live'), test: [...open('test'), deps.simulatedBank] });
  });
  if (!lazily) opened();
  return { find: (...place) => opened().find(...place), enabled: (mode) => opened().enabled(mode) };
}

/** A mode accepts transactions if at least one of its rails can pay out. */
export function railsEnabled(banks: RailRegistry): RailsEnabled {
  const pays = (mode: Mode) => banks.enabled(mode).some(({ payouts }) => payouts !== null);
  return { live: pays('live'), test: pays('test') };
}

/**
 * Returns whether the installation moves money of real people. Such an installation is never a sandbox, wherever its database
 * is: a person whose password is in a file must not decide about real money. Local chains and banks have no real money, even in
 * live mode.
 */
export function movesRealMoney(
  config: Pick<Config, 'banksFile'>,
  networks: Networks<NetworkDescription>,
  { instance }: Pick<NetworksFile, 'instance'>,
): boolean {
  const hasLive = networks.enabled('live').length > 0 || networks.disabled('live').length > 0;
  if (hasLive && instance === null) return true;
  try {
    return readRailSettings(config).some(({ mode, isLocal }) => mode === 'live' && !isLocal);
  } catch (error) {
    // If the settings of the rails cannot be read, the service assumes that the rails move real money.
    if (error instanceof SettingsError) return true;
    throw error;
  }
}

/** Erasure by age must not reach records that the law requires. Only live records are such records. */
export function refuseShortRetention(
  { personalDataKeepMs: keepMs, legalRetentionMs }: Pick<Config, 'personalDataKeepMs' | 'legalRetentionMs'>,
  servesLive: boolean,
): void {
  if (!servesLive || keepMs === null || keepMs >= legalRetentionMs) return;
  const [days, atLeast] = [keepMs, legalRetentionMs].map((ms) => ms / 86_400_000);
  throw new ConfigError(
    `PERSONAL_DATA_DAYS is ${days}, but the law requires records of live transactions for ${atLeast} days (LEGAL_RETENTION_DAYS). Set PERSONAL_DATA_DAYS to at least ${atLeast}, or to 0 to keep all data; a person's data that the law does not require is erased at their request (docs/operate/privacy.md).`,
  );
}

/** Whether a network or a bank of live mode is configured, real or local. */
export function hasLiveMode(networks: Networks<NetworkDescription>, banks: RailRegistry): boolean {
  const hasNetwork = networks.enabled('live').length > 0 || networks.disabled('live').length > 0;
  return hasNetwork || banks.enabled('live').length > 0;
}

/**
 * One bank account is one ledger account: it either receives money from customers or pays them. So a vendor account must not be
 * an account of a rail that pays out.
 */
export function refuseVendorAccounts(
  { banksFile }: Pick<Config, 'banksFile'>,
  banks: RailRegistry,
  { vendors }: Pick<CatalogueSnapshot, 'vendors'>,
): void {
  const problems = MODES.flatMap((mode) =>
    banks.enabled(mode).flatMap(({ name, account }) => {
      const vendor = vendors[mode].find(
        ({ bankCode, number }) => bankCode === account?.bankCode && number === account.number,
      );
      if (vendor === undefined) return [];
      return `The account of rail ${name} (${mode}) is the account of vendor ${vendor.name}. A payout account must not receive buys: configure another account, or disable the vendor with bin/sliproad vendors disable ${vendor.id}.`;
    }),
  );
  if (problems.length > 0)
    throw new SettingsError(titleOfBanksFile(banksFile?.file ?? 'BANKS_FILE'), problems);
}
