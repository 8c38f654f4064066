// `sliproad doctor`: checks everything that a service needs, continues when one part is down, and says how to fix each problem.
import { recordRead } from '../../app/audit/record-actions.ts';
import { countUnreadableSecrets } from '../../app/people/reseal-secrets.ts';
import { type Config, ConfigError, settingWarnings } from '../../config.ts';
import type { DoctorProbes } from '../../wire/admin/doctor-probes.ts';
import type { CheckedNetwork } from '../../wire/networks/network-admin.ts';
import { type Command, defineCommand, type Terminal } from '../command.ts';
import { CommandError } from '../terminal/command-error.ts';
import { noPaint } from '../terminal/table.ts';
import { type DoctorCheck, okCheck, problemCheck, reasonOf, warningCheck } from './check.ts';
import { checkDatabase } from './database.ts';
import { checkBanks, checkClock, checkDisk, checkKeys, checkRates } from './machine.ts';

export function doctorCommand(openDesk: (config: Config) => DoctorProbes | Promise<DoctorProbes>): Command {
  return defineCommand({
    name: 'doctor',
    summary:
      'Check configuration, database, networks, banks file, rates file, mail server, clock, disk, key files and the running service, and say how to fix each problem. Changes nothing.',
    run: async (terminal) => {
      const checks: DoctorCheck[] = [];
      const add = (...found: readonly DoctorCheck[]) => {
        for (const each of found) printCheck(terminal, each);
        checks.push(...found);
      };
      const config = readSettings(terminal, add);
      if (config !== undefined) await runChecks(terminal, config, await openDesk(config), add);
      const problems = checks.filter(({ state }) => state === 'problem').length;
      const warnings = checks.filter(({ state }) => state === 'warning').length;
      const answer = { ok: problems === 0, problems, warnings, checks: checks.map((each) => ({ ...each })) };
      const count = `${checks.length} checks, ${warnings} warnings, ${problems} problems.`;
      if (problems > 0) throw new CommandError(count, 'failed', answer);
      terminal.print(count);
      return answer;
    },
  });
}

type AddChecks = (...found: readonly DoctorCheck[]) => void;

function readSettings(terminal: Terminal, add: AddChecks): Config | undefined {
  try {
    const { config } = terminal;
    add(okCheck('configuration', 'every setting is valid'));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.message.split('\n'))
      add(
        problemCheck('configuration', line, 'Correct it in the environment or .env: see config.example.env.'),
      );
    return undefined;
  } finally {
    const fix = 'Rename it, or remove it from the environment or .env.';
    for (const text of settingWarnings(process.env)) add(warningCheck('configuration', text, fix));
  }
}

async function runChecks(
  terminal: Terminal,
  config: Config,
  desk: DoctorProbes,
  add: AddChecks,
): Promise<void> {
  const database = await checkDatabase(config, desk);
  add(...database.checks);
  if (database.usable) add(...(await checkRecords(terminal, config)));
  if (database.clockAheadMs !== null) add(checkClock(database.clockAheadMs, 'the database'));
  add(...(await checkNetworks(desk)));
  add(...checkBanks(config, desk));
  add(...checkRates(config, desk));
  add(await checkMail(config, desk));
  add(await checkDisk(config));
  add(...(await checkKeys(config, desk)));
  add(...(await checkService(config, desk)));
}

async function checkRecords(terminal: Terminal, config: Config): Promise<DoctorCheck[]> {
  try {
    return await terminal.withFoundation(async (foundation) => {
      await recordRead(foundation, foundation.actor, null, 'doctor');
      const { people, sealedTables: tables, backOffice } = foundation;
      const unreadable = await countUnreadableSecrets({ box: people.box, tables });
      const paused = await backOffice.movementsPaused();
      return [
        unreadable === 0
          ? okCheck('keys', 'the key file opens every stored secret')
          : problemCheck(
              'keys',
              `the key file ${config.secretsKeyFile} does not open ${unreadable} stored secrets`,
              'Put the right copy of the file back: docs/operate/backup.md.',
            ),
        paused
          ? warningCheck(
              'service',
              'money movements are paused',
              'To see who paused them: bin/sliproad movements status. To resume: bin/sliproad movements resume',
            )
          : okCheck('service', 'money movements are not paused'),
      ];
    });
  } catch (error) {
    return [problemCheck('database', reasonOf(error), 'Fix this first: no command works without it.')];
  }
}

async function checkNetworks(desk: DoctorProbes): Promise<DoctorCheck[]> {
  try {
    const checked = await desk.networks();
    if (checked === null) return [okCheck('networks', 'none is configured: test mode is simulated')];
    const clock = await desk.clockAheadOfProviderMs();
    // The Date header of a provider is exact only to the second.
    const ofProvider = clock === null ? [] : [checkClock(clock.aheadMs, clock.provider, 1_000)];
    return [...checked.map(networkCheck), ...ofProvider];
  } catch (error) {
    const fix = 'Correct the file named by NETWORKS_FILE: docs/operate/networks.md';
    return [problemCheck('networks', reasonOf(error), fix)];
  }
}

function networkCheck({
  name,
  mode,
  problem: trouble,
  startsDisabled,
  providers,
}: CheckedNetwork): DoctorCheck {
  const place = `${name} (${mode})`;
  const fix = `bin/sliproad networks check ${name} --mode ${mode} shows the details. See docs/operate/networks.md`;
  if (trouble !== null) {
    const text = `${place}: ${trouble}`;
    return startsDisabled ? warningCheck('networks', text, fix) : problemCheck('networks', text, fix);
  }
  const silent = providers.filter((each) => each.problem !== null);
  if (silent.length === 0)
    return okCheck('networks', `${place}: its providers answer and agree with the settings`);
  const why = silent.map((each) => `${each.name}: ${each.problem}`).join('; ');
  return warningCheck(
    'networks',
    `${place}: ${why}`,
    'Wait for the provider, or replace it in the networks file.',
  );
}

async function checkMail({ databaseUrl }: Config, desk: DoctorProbes): Promise<DoctorCheck> {
  try {
    const server = await desk.mail();
    if (server !== null) return okCheck('mail', `the mail server answers (${server})`);
    if (databaseUrl === null) return okCheck('mail', 'the sandbox sends no mail');
    const fix = 'Set SMTP_URL and MAIL_FROM. Without them, no invitations are sent.';
    return warningCheck('mail', 'no mail server is configured', fix);
  } catch (error) {
    const fix = 'Correct SMTP_URL (or SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASSWORD, SMTP_TLS).';
    return problemCheck('mail', `the mail server cannot be used: ${reasonOf(error)}`, fix);
  }
}

const SERVING = 200;

async function checkService({ host, port }: Config, desk: DoctorProbes): Promise<DoctorCheck[]> {
  const place = `${host}:${port}`;
  try {
    const health = await desk.ask('/health');
    if (health === undefined) return [okCheck('service', `no service runs at ${place}`)];
    const ready = await desk.ask('/ready');
    if (health === SERVING && ready === SERVING)
      return [okCheck('service', `the service at ${place} is healthy and ready`)];
    const text = `the service at ${place} answers ${health} to /health and ${ready} to /ready`;
    return [problemCheck('service', text, 'Check its log. The usual cause is an unavailable database.')];
  } catch (error) {
    const fix = 'Check its log, and whether another program listens on that port.';
    return [problemCheck('service', `${place} does not answer like this service: ${reasonOf(error)}`, fix)];
  }
}

const STYLES = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

function printCheck(terminal: Terminal, { area, state, text, fix }: DoctorCheck): void {
  const paint = terminal.paint ?? noPaint;
  terminal.print(`${paint(STYLES[state], state.padEnd(8))} ${area.padEnd(13)} ${text}`);
  if (fix !== null) terminal.print(`${' '.repeat(23)}→ ${fix}`);
}
