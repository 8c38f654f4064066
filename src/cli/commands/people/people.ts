// The command-line commands for the people of the operator: the first admin, invitations, roles, departures and lost devices.
import { invitePerson } from '../../../app/membership/invitations.ts';
import { listMails } from '../../../app/membership/members.ts';
import {
  listOperators,
  resetPerson,
  setOperatorRole,
  setPersonDisabled,
} from '../../../app/membership/operators.ts';
import { checkNewPassword, PASSWORD_LENGTH } from '../../../app/people/password-rules.ts';
import { newPeopleId } from '../../../app/people/people-deps.ts';
import type { Config } from '../../../config.ts';
import { normaliseEmail, normalisePersonName } from '../../../domain/people/names.ts';
import { OPERATOR_ROLES } from '../../../domain/people/roles.ts';
import type { PersonWithRoles } from '../../../ports/people/people.ts';
import { renderInvitation, renderMail, renderPerson } from '../../../renderings/people.ts';
import { type Command, defineCommand, isoTimeText, printTable, type Terminal } from '../../command.ts';
import { makeQuestions, type Questions } from '../../questions.ts';
import { signInWith } from '../../sign-in.ts';
import { CommandError, refusalError, UsageError } from '../../terminal/command-error.ts';
import type { Json } from '../../terminal/json.ts';

type CommandFoundation = Parameters<Parameters<Terminal['withFoundation']>[0]>[0];

export function peopleCommands(questions: () => Questions = makeQuestions): readonly Command[] {
  return [createAdminCommand(questions), listCommand, inviteCommand, roleCommand, ...changeCommands];
}

const EMAIL = { value: 'ADDRESS', needed: true, about: 'the e-mail address of the person' } as const;

function createAdminCommand(questions: () => Questions): Command {
  return defineCommand({
    name: 'people create-admin',
    summary: 'Create the first admin of a new installation and sign in.',
    options: {
      email: EMAIL,
      name: { value: 'NAME', needed: true, about: 'the display name' },
      recover: { about: 'create an admin although there are some, because none of them can sign in' },
    },
    run: async (terminal, { options }) => {
      const email = normaliseEmail(options.email);
      if (email === undefined)
        throw new UsageError('--email is not an e-mail address. Example: ada@example.com');
      const name = normalisePersonName(options.name);
      if (name === undefined)
        throw new UsageError('--name must be 1 to 100 visible characters without < > @ : / \\ or quotes.');
      const given = { email, name, recover: options.recover };
      return terminal.withFoundation(
        (foundation) => createAdmin(terminal, foundation, questions(), given),
        'made',
      );
    },
  });
}

async function createAdmin(
  terminal: Terminal,
  { people, actor }: CommandFoundation,
  questions: Questions,
  given: { readonly email: string; readonly name: string; readonly recover: boolean },
): Promise<Json> {
  const { email, name, recover } = given;
  const admins = (await people.people.listOperators()).filter(
    ({ operatorRole, disabledAtMs }) => operatorRole === 'admin' && disabledAtMs === null,
  );
  if (admins.length > 0 && !recover) {
    throw new CommandError(
      `There is already an admin: ${admins.map((admin) => admin.email).join(', ')}. If that is you, sign in: bin/sliproad login --email ADDRESS. Otherwise ask for an invitation (bin/sliproad people invite). If no admin can sign in, use --recover, which is recorded.`,
      'conflict',
    );
  }
  const known = await people.people.findByEmail(email);
  // A person without a role was created by an interrupted run of this command. The current run completes that person.
  if (known !== undefined && (known.operatorRole !== null || known.memberships.length > 0))
    throw new CommandError(`${email} already exists. Use another address.`, 'conflict');
  if (known !== undefined && known.disabledAtMs !== null)
    throw new CommandError(`${email} is disabled. Use another address.`, 'conflict');
  const password = await askNewPassword(questions, { email, name });
  const id = known?.id ?? newPeopleId(people, 'per');
  const doing = { actor, atMs: people.clock.now() };
  if (known === undefined) await people.people.add({ id, email, name }, doing);
  await people.signIn.setPassword(id, await people.passwords.hash(password), doing);
  await people.people.setOperatorRole(id, 'admin', doing);
  if (admins.length > 0)
    await people.audit.record({
      ...doing,
      action: 'admin_recovered',
      subject: id,
      businessId: null,
      detail: { email },
    });
  terminal.print(`${email} is an admin (${id}).`);
  const session = await signInWith(terminal, people, questions, { email, password }, 'totp');
  terminal.print(
    'Next: bin/sliproad people invite --email ADDRESS --role approver (decisions about money need two people).',
  );
  return { id, email, name, role: 'admin', session };
}

async function askNewPassword(
  questions: Questions,
  person: { readonly email: string; readonly name: string },
): Promise<string> {
  const password = await questions.askSecretly(`New password (at least ${PASSWORD_LENGTH.min} characters): `);
  const refusal = checkNewPassword(password, person);
  if (refusal !== undefined) throw new UsageError(`${PASSWORD_WORDS[refusal.code]} Nothing was changed.`);
  if ((await questions.askSecretly('Repeat the password: ')) !== password)
    throw new UsageError('The two passwords differ. Nothing was changed.');
  return password;
}

const PASSWORD_WORDS = {
  password_too_short: `The password is too short: at least ${PASSWORD_LENGTH.min} characters.`,
  password_too_long: `The password is too long: at most ${PASSWORD_LENGTH.max} characters.`,
  password_too_easy: 'The password is easy to guess. Use several unrelated words.',
} as const;

const listCommand = defineCommand({
  name: 'people list',
  summary: 'List the people of the operator with their roles.',
  run: (terminal) =>
    terminal.withFoundation(async ({ membership, actor }) => {
      const listed = await listOperators(membership, actor);
      if (!listed.ok) throw refusalError(listed.error);
      const rows = listed.value.map(({ id, email, name, operatorRole, disabledAtMs }) => [
        ...[id, email, name, operatorRole ?? '-'],
        disabledAtMs === null ? 'enabled' : `disabled ${isoTimeText(disabledAtMs)}`,
      ]);
      if (rows.length > 0) printTable(terminal, [['PERSON', 'EMAIL', 'NAME', 'ROLE', 'STATE'], ...rows]);
      else
        terminal.print(
          'There are no people yet. Create the first admin: bin/sliproad people create-admin --help',
        );
      return { people: listed.value.map(renderPerson) };
    }),
});

const ROLES = [...OPERATOR_ROLES, 'none'] as const;
const INVITED_ROLES = [...OPERATOR_ROLES, 'owner', 'developer', 'viewer'] as const;

const inviteCommand = defineCommand({
  name: 'people invite',
  summary: 'Invite a person by mail. The invitation expires after 7 days.',
  options: {
    email: EMAIL,
    role: { choices: INVITED_ROLES, needed: true, about: 'role of the person (docs/operate/people.md)' },
    business: { value: 'ID', about: 'invite to this business (default: to the operator)' },
  },
  run: (terminal, { options: { email, role, business } }) =>
    terminal.withFoundation(async ({ membership, actor }) => {
      const invited = await invitePerson(membership, { email, role, businessId: business ?? null }, actor);
      if (!invited.ok) throw refusalError(invited.error);
      const { id, expiresAtMs } = invited.value;
      terminal.print(
        `Invited ${invited.value.email} as ${role} (${id}). The invitation expires at ${isoTimeText(expiresAtMs)}.`,
      );
      terminal.print(mailAdvice(terminal.config));
      return { invitation: renderInvitation(invited.value) };
    }),
});

/** Explains where the mail with the link goes. Without a mail server, people can read the mail only in the sandbox. */
function mailAdvice({ mail, databaseUrl }: Pick<Config, 'mail' | 'databaseUrl'>): string {
  if (mail.smtp !== null)
    return 'The mail with the link is queued. To see its state: bin/sliproad mails list';
  if (databaseUrl === null)
    return 'The sandbox does not send mails. Read this one with: bin/sliproad mails list, or on the page /app/mails';
  return 'No mail server is configured here (SMTP_URL, MAIL_FROM). If the service has none either, no mail is sent: configure one, restart, and invite again.';
}

const roleCommand = defineCommand({
  name: 'people role',
  words: ['EMAIL_OR_ID', 'ROLE'],
  summary: `Change a person's role at the operator: ${ROLES.join(', ')}.`,
  run: (terminal, { words: [who, role] }) =>
    terminal.withFoundation(async (foundation) => {
      const { id, email } = await findPerson(foundation, who);
      const given = { personId: id, role: role === 'none' ? null : role };
      const set = await setOperatorRole(foundation.membership, given, foundation.actor);
      if (!set.ok) throw refusalError(set.error);
      terminal.print(`${email} now has the role ${role}.`);
      return { person: renderPerson(await findPerson(foundation, id)) };
    }),
});

const changeCommands: readonly Command[] = [
  personCommand(
    'people disable',
    'End all sessions of a person immediately, and refuse further sign-ins.',
    async ({ membership, actor }, personId) => {
      const set = await setPersonDisabled(membership, { personId, disabled: true }, actor);
      return set.ok ? okOutcome('is disabled and signed out everywhere.') : set;
    },
  ),
  personCommand(
    'people enable',
    'Let a disabled person sign in again.',
    async ({ membership, actor }, personId) => {
      const set = await setPersonDisabled(membership, { personId, disabled: false }, actor);
      return set.ok ? okOutcome('can sign in again.') : set;
    },
  ),
  personCommand(
    'people reset',
    'For a lost device: remove the password and second factors, sign the person out, and mail a link to set new ones.',
    async ({ membership, actor }, personId) => {
      const reset = await resetPerson(membership, personId, actor);
      return reset.ok
        ? okOutcome('is signed out everywhere and receives a mail with a link, valid for one hour.')
        : reset;
    },
  ),
];

type ChangeOutcome =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

function okOutcome(value: string): ChangeOutcome {
  return { ok: true, value };
}

function personCommand(
  name: string,
  summary: string,
  change: (foundation: CommandFoundation, personId: string) => Promise<ChangeOutcome>,
): Command {
  return defineCommand({
    name,
    words: ['EMAIL_OR_ID'],
    summary,
    run: (terminal, { words: [who] }) =>
      terminal.withFoundation(async (foundation) => {
        const { id, email } = await findPerson(foundation, who);
        const changed = await change(foundation, id);
        if (!changed.ok) throw refusalError(changed.error);
        terminal.print(`${email} ${changed.value}`);
        return { person: renderPerson(await findPerson(foundation, id)) };
      }),
  });
}

async function findPerson({ people }: CommandFoundation, who: string): Promise<PersonWithRoles> {
  const email = normaliseEmail(who);
  const person = email === undefined ? await people.people.find(who) : await people.people.findByEmail(email);
  if (person !== undefined) return person;
  throw new CommandError('There is no such person. See: bin/sliproad people list', 'not_found');
}

export const mailCommands: readonly Command[] = [
  defineCommand({
    name: 'mails list',
    summary: 'List the newest mails with their state, and with their text if the database is embedded.',
    run: (terminal) =>
      terminal.withFoundation(async ({ membership, actor }) => {
        const listed = await listMails(membership, actor);
        if (!listed.ok) throw refusalError(listed.error);
        if (listed.value.length === 0) terminal.print('There are no mails.');
        for (const { id, createdAtMs, recipient, subject, state, problem, body } of listed.value) {
          terminal.print(`${id}  ${isoTimeText(createdAtMs)}  ${state}  ${recipient}  ${subject}`);
          if (problem !== null) terminal.print(`    ${problem}`);
          if (body !== null) terminal.print(body.replaceAll(/^/gm, '    '));
        }
        return { mails: listed.value.map(renderMail) };
      }),
  }),
];
