// The people of the operator on the command line: the first admin, invitations, roles, and what to do when a person leaves or
// loses a device.
import { invite } from '../../../app/membership/invitations.ts';
import {
  listOperators,
  resetPerson,
  setDisabled,
  setOperatorRole,
} from '../../../app/membership/operators.ts';
import { checkNewPassword, PASSWORD_LENGTH } from '../../../app/people/password-rules.ts';
import { newPeopleId } from '../../../app/people/people-deps.ts';
import type { Config } from '../../../config.ts';
import { normaliseEmail } from '../../../domain/people/email.ts';
import { normalisePersonName } from '../../../domain/people/names.ts';
import { OPERATOR_ROLES } from '../../../domain/people/roles.ts';
import { makeQuestions, type Questions } from '../../ask.ts';
import {
  type Command,
  CommandError,
  readOptions,
  required,
  type Terminal,
  table,
  UsageError,
} from '../../command.ts';
import { signInWith } from '../../sign-in.ts';

type Foundation = Parameters<Parameters<Terminal['withFoundation']>[0]>[0];

export function peopleCommands(questions: () => Questions = makeQuestions): readonly Command[] {
  return [createAdminCommand(questions), listCommand, inviteCommand, roleCommand, ...changeCommands];
}

function createAdminCommand(questions: () => Questions): Command {
  return {
    name: 'people create-admin',
    usage: '--email ADDRESS --name NAME [--recover]',
    summary:
      'Make the first admin of a new installation and sign in. --recover makes one although there are admins: for when none of them can sign in.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { email: 'text', name: 'text', recover: 'flag' });
      const email = normaliseEmail(required(options.email, '--email'));
      if (email === undefined)
        throw new UsageError('--email is not an e-mail address. Example: ada@example.com');
      const name = normalisePersonName(required(options.name, '--name'));
      if (name === undefined)
        throw new UsageError('--name must be 1 to 100 visible characters without < > @ : / \\ or quotes.');
      const recover = options.recover !== undefined;
      return terminal.withFoundation(
        (foundation) => createAdmin(terminal, foundation, questions(), { email, name, recover }),
        'made',
      );
    },
  };
}

async function createAdmin(
  terminal: Terminal,
  { people, actor }: Foundation,
  questions: Questions,
  given: { readonly email: string; readonly name: string; readonly recover: boolean },
): Promise<void> {
  const { email, name, recover } = given;
  const admins = (await people.people.listOperators()).filter(
    ({ operatorRole, disabledAtMs }) => operatorRole === 'admin' && disabledAtMs === null,
  );
  if (admins.length > 0 && !recover) {
    throw new CommandError(
      `There is an admin already: ${admins.map((admin) => admin.email).join(', ')}. If that is you, sign in: bin/sliproad login --email ADDRESS. Otherwise ask for an invitation (bin/sliproad people invite). If no admin can sign in, use --recover; that is recorded.`,
    );
  }
  const known = await people.people.findByEmail(email);
  // Without any role it is a person of a run that was cut off: it goes on from there.
  if (known !== undefined && (known.operatorRole !== null || known.memberships.length > 0))
    throw new CommandError(`There is a person ${email} already. Name another address.`);
  if (known !== undefined && known.disabledAtMs !== null)
    throw new CommandError(`${email} is disabled. Name another address.`);
  const password = await newPassword(questions, { email, name });
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
  await signInWith(terminal, people, questions, { email, password }, 'totp');
  terminal.print(
    'Next: bin/sliproad people invite --email ADDRESS --role approver (decisions about money need two people).',
  );
}

async function newPassword(
  questions: Questions,
  person: { readonly email: string; readonly name: string },
): Promise<string> {
  const password = await questions.askSecretly(`New password (at least ${PASSWORD_LENGTH.min} characters): `);
  const refusal = checkNewPassword(password, person);
  if (refusal !== undefined) throw new CommandError(`${PASSWORD_WORDS[refusal.code]} Nothing was changed.`);
  if ((await questions.askSecretly('The same password again: ')) !== password)
    throw new CommandError('The two passwords differ. Nothing was changed.');
  return password;
}

const PASSWORD_WORDS = {
  password_too_short: `The password is too short: at least ${PASSWORD_LENGTH.min} characters.`,
  password_too_long: `The password is too long: at most ${PASSWORD_LENGTH.max} characters.`,
  password_too_easy:
    'The password is easy to guess. Several words that do not belong together are a good one.',
} as const;

const listCommand: Command = {
  name: 'people list',
  usage: '',
  summary: 'List the people of the operator with their roles.',
  run: (terminal, args) => {
    readOptions(args, {});
    return terminal.withFoundation(async ({ membership, actor }) => {
      const listed = await listOperators(membership, actor);
      if (!listed.ok) throw new CommandError(listed.error.message);
      if (listed.value.length === 0)
        return terminal.print(
          'There are no people yet. Make the first: bin/sliproad people create-admin --help',
        );
      const rows = listed.value.map(({ id, email, name, operatorRole, disabledAtMs }) => [
        id,
        email,
        name,
        operatorRole ?? '-',
        disabledAtMs === null ? 'enabled' : `disabled ${new Date(disabledAtMs).toISOString()}`,
      ]);
      terminal.print(table([['PERSON', 'EMAIL', 'NAME', 'ROLE', 'STATE'], ...rows]));
    });
  },
};

const ROLES = OPERATOR_ROLES.join('|');

const inviteCommand: Command = {
  name: 'people invite',
  usage: `--email ADDRESS --role ${ROLES}|owner|developer|viewer [--business ID]`,
  summary:
    'Invite a person to the operator, or with --business to a business. The invitation goes by mail and ends after 7 days.',
  run: (terminal, args) => {
    const { options } = readOptions(args, { email: 'text', role: 'text', business: 'text' });
    const given = {
      email: required(options.email, '--email'),
      role: required(options.role, '--role'),
      businessId: options.business ?? null,
    };
    return terminal.withFoundation(async ({ membership, actor }) => {
      const invited = await invite(membership, given, actor);
      if (!invited.ok) throw new CommandError(invited.error.message);
      const { id, email, role, expiresAtMs } = invited.value;
      terminal.print(`Invited ${email} as ${role} (${id}), until ${new Date(expiresAtMs).toISOString()}.`);
      terminal.print(mailWords(terminal.config));
    });
  },
};

/** What becomes of the mail with the link: without a mail server only the sandbox shows it. */
function mailWords({ mail, databaseUrl }: Pick<Config, 'mail' | 'databaseUrl'>): string {
  if (mail.smtp !== null)
    return 'The mail with the link is queued. To see its state: bin/sliproad mails list';
  if (databaseUrl === null)
    return 'The sandbox sends no mail. Read it with: bin/sliproad mails list, or on the page /app/mails';
  return 'No mail server is configured here (SMTP_URL, MAIL_FROM). Unless the service has one, no mail is sent: configure it, restart, and invite again.';
}

const roleCommand: Command = {
  name: 'people role',
  usage: `EMAIL_OR_ID ${ROLES}|none`,
  summary: 'Change the role of a person of the operator.',
  run: (terminal, args) => {
    const { rest } = readOptions(args, {}, 2);
    const who = required(rest[0], 'EMAIL_OR_ID');
    const role = required(rest[1], 'ROLE');
    return terminal.withFoundation(async (foundation) => {
      const { id, email } = await findPerson(foundation, who);
      const given = { personId: id, role: role === 'none' ? null : role };
      const set = await setOperatorRole(foundation.membership, given, foundation.actor);
      if (!set.ok) throw new CommandError(set.error.message);
      terminal.print(`${email} has the role ${role} now.`);
    });
  },
};

const changeCommands: readonly Command[] = [
  personCommand(
    'people disable',
    'End all sessions of a person at once, and refuse further sign-ins.',
    async ({ membership, actor }, personId) => {
      const set = await setDisabled(membership, { personId, disabled: true }, actor);
      return set.ok ? ok('is disabled and signed out everywhere.') : set;
    },
  ),
  personCommand(
    'people enable',
    'Let a disabled person sign in again.',
    async ({ membership, actor }, personId) => {
      const set = await setDisabled(membership, { personId, disabled: false }, actor);
      return set.ok ? ok('can sign in again.') : set;
    },
  ),
  personCommand(
    'people reset',
    'For a lost device: remove password and second factors, sign the person out, and mail a link to set them anew.',
    async ({ membership, actor }, personId) => {
      const reset = await resetPerson(membership, personId, actor);
      return reset.ok
        ? ok('is signed out everywhere and gets a mail with a link, valid for one hour.')
        : reset;
    },
  ),
];

type Outcome =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly error: { readonly message: string } };

function ok(value: string): Outcome {
  return { ok: true, value };
}

function personCommand(
  name: string,
  summary: string,
  change: (foundation: Foundation, personId: string) => Promise<Outcome>,
): Command {
  return {
    name,
    usage: 'EMAIL_OR_ID',
    summary,
    run: (terminal, args) => {
      const who = required(readOptions(args, {}, 1).rest[0], 'EMAIL_OR_ID');
      return terminal.withFoundation(async (foundation) => {
        const { id, email } = await findPerson(foundation, who);
        const changed = await change(foundation, id);
        if (!changed.ok) throw new CommandError(changed.error.message);
        terminal.print(`${email} ${changed.value}`);
      });
    },
  };
}

async function findPerson({ people }: Foundation, who: string) {
  const email = normaliseEmail(who);
  const person = email === undefined ? await people.people.find(who) : await people.people.findByEmail(email);
  if (person === undefined) throw new CommandError('There is no such person. See: bin/sliproad people list');
  return person;
}
