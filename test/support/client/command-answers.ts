// The contract for the --json output of operator commands: each command prints the same data as a response of the console. The
// schemas are those of the console's routes, so that the two cannot diverge.
import assert from 'node:assert/strict';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { CONSOLE_ROUTES } from '../../../src/http/console/routes.ts';
import { closed } from './documented.ts';

type Members = Readonly<Record<string, TSchema>>;

function of(operation: string, ...members: readonly string[]): Members {
  const route = CONSOLE_ROUTES.find(({ name }) => name === operation);
  if (route === undefined) throw new Error(`The console has no operation ${operation}.`);
  if (members.length === 0) return route.answer;
  return Object.fromEntries(members.map((name) => [name, member(route.answer, operation, name)]));
}

function member(answer: Members, operation: string, name: string): TSchema {
  const found = answer[name];
  if (found === undefined) throw new Error(`${operation} has no member ${name}.`);
  return found;
}

function each(operation: string, list: string): TSchema {
  return (of(operation, list)[list] as TSchema & { readonly items: TSchema }).items;
}

const SETTING = of('addVendor');
const PROPOSAL = of('proposeReview');
const PERSON = { person: each('listPeople', 'people') };
const VENDOR = { ...SETTING, vendor: Type.Optional(each('listVendorsAsOperator', 'vendors')) };

/**
 * The contract of each command, by its name. If the console does not have a member, this table lists it next to the members
 * that the console has.
 */
const COMMAND_ANSWERS: Readonly<Record<string, Members>> = {
  'people list': of('listPeople'),
  'people invite': of('inviteOperator'),
  'people role': PERSON,
  'people disable': PERSON,
  'people enable': PERSON,
  'people reset': PERSON,
  'mails list': of('listMails'),
  'businesses list': of('listBusinesses', 'businesses'),
  'businesses add': of('getBusinessAsOperator', 'business'),
  'businesses wallet show': of('getBusinessAsOperator', 'default_wallet'),
  'businesses wallet set': SETTING,
  'businesses wallet remove': SETTING,
  'businesses tier set': SETTING,
  'keys list': of('listKeys'),
  'keys add': of('issueKey'),
  'keys roll': { ...of('rollKey'), replaced: each('listKeys', 'keys'), kept_earlier_end: Type.Boolean() },
  'keys revoke': { key: each('listKeys', 'keys') },
  'vendors list': of('listVendorsAsOperator', 'vendors'),
  'vendors add': VENDOR,
  'vendors rename': VENDOR,
  'vendors source': VENDOR,
  'vendors disable': VENDOR,
  'vendors enable': VENDOR,
  'rails list': of('listRails', 'rails'),
  'rails show': { rail: each('listRails', 'rails') },
  'rails routes': of('listRails', 'routes'),
  'rails route set': of('addRoute'),
  'rails route remove': of('removeRoute'),
  'rails cap': of('setRailCap'),
  'rails pause': of('pauseRail'),
  'rails resume': of('resumeRail'),
  'rails trust': of('trustRail'),
  'rates sources': of('listRateSources'),
  'rates book': of('getRates', 'books'),
  'rates history': of('getRateHistory'),
  'rates set': { ...of('setRates'), spread: Type.Optional(Type.Object({ ...of('setSpread') })) },
  'rates withdraw': of('withdrawRates'),
  'rates spread set': of('setSpread'),
  'rates spread list': of('listSpreads', 'spreads'),
  'fees set': of('setFee'),
  'limits set': of('setLimits'),
  'ledger balances': of('listBalances'),
  'ledger explain': of('listLedgerEntries'),
  'ledger unfund': PROPOSAL,
  'naira accounts': of('listBankAccounts'),
  'naira put-in': of('proposeNaira'),
  'naira take-out': of('proposeNaira'),
  'naira move': of('proposeNaira'),
  'naira charge': of('proposeNaira'),
  'halts list': { ...of('listHalts'), outflows: Type.Array(Type.Unknown()) },
  'reviews list': {
    ...{ ...of('listProposals'), ...of('getReviewQueue'), ...of('listCases', 'cases') },
    ...of('listCaseGroups', 'groups'),
    ...of('listPayouts', 'unknown_for_long'),
  },
  'reviews show': of('getReview'),
  'reviews propose withdrawal': of('proposeWithdrawal'),
  'reviews approve': of('approveProposal'),
  'reviews decline': of('declineProposal'),
  'reviews withdraw': of('withdrawProposal'),
  'reviews reject': of('rejectTransaction'),
  ...Object.fromEntries(
    [
      ...['match', 'split', 'refund', 'write-off', 'own-funds', 'resume', 'release', 'loss', 'dismiss'],
      ...['pay-again', 'send-back', 'paid', 'unpaid', 'recovered', 'accept-loss', 'count', 'explained'],
      'explained-all',
    ].map((action) => [`reviews propose ${action}`, PROPOSAL]),
  ),
  'freezes list': of('listFreezes'),
  'freezes add': of('freezeBusiness'),
  'freezes lift': of('liftFreeze'),
  'matching lift-limit': SETTING,
  'cases list': { ...of('listCases', 'cases'), ...of('listCaseGroups', 'groups') },
  'cases show': { ...of('getCase'), ...of('getReview', 'actions') },
  'statements import': of('importStatement'),
  'statements list': of('listStatements', 'files'),
  'statements show': of('showStatement'),
  'statements confirm': of('confirmStatementProfile'),
  'statements doubts': of('listStatements', 'doubts'),
  reconcile: { reconciled: Type.Array(Type.Object({ ...of('getReconciledDay', 'day', 'differences') })) },
  'reconcile show': of('listReconciledDays', 'days'),
  'reconcile holidays': of('listHolidays'),
  'reconcile holidays set': of('setHoliday'),
  'reconcile holidays remove': of('removeHoliday'),
  treasury: of('getTreasuries'),
  'audit list': of('listAudit', 'entries'),
  'movements status': of('getMovements'),
  'movements pause': of('pauseMovements'),
  'movements resume': of('resumeMovements'),
};

const OWN_ANSWERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['buy', 'sell', 'pay', 'quote', 'status', 'trigger', 'listen', 'events tail', 'banks account'],
      ...['transactions search', 'transactions export'],
    ].map((name) => [name, 'it prints what the public API answers']),
  ),
  ...Object.fromEntries(
    [
      'serve',
      'migrate',
      'backup',
      'restore',
      'doctor',
      'completion',
      'networks check',
      'networks set-up',
    ].map((name) => [name, 'it is about this machine: the console does not have it']),
  ),
  ...Object.fromEntries(
    [
      ...['signer create-key', 'signer import-key', 'signer keys', 'signer stop', 'signer status'],
      ...['signer change-passphrase', 'secrets make-key', 'secrets rotate', 'secrets drop-old-keys'],
    ].map((name) => [name, 'keys of this machine: the console does not have them']),
  ),
  ...Object.fromEntries(
    ['login', 'logout', 'whoami', 'people create-admin'].map((name) => [
      name,
      'the session of this terminal',
    ]),
  ),
  ...Object.fromEntries(
    ['travel-rule export', 'reports threshold', 'privacy export', 'audit export'].map((name) => [
      name,
      'it names the file that it wrote',
    ]),
  ),
  'signer resume': 'whether signing is stopped here; a proposal is printed as the console shows it',
  'networks forget': 'what the database is bound to; with --yes it answers as other settings do',
  'networks reread': 'the console does not have it',
  'sends cancel': 'the console does not have it',
  'ledger check': 'the console does not recount the ledger',
  'ledger fund': 'the console does not book in test mode; a live proposal is printed as the console shows it',
  'audit verify': 'the whole log; the console verifies it slice by slice',
  'fees list': 'every fee ever set; the console shows those that hold, with each business',
  'limits list': 'the rules; the console shows what holds, with each business',
  'rails events': 'the console does not have them',
  'rails events try-again': 'the console does not have them',
  'rails events close': 'the console does not have them',
  'quotes list': 'of all businesses: the console shows a business its own',
  'matching backtest': 'the console does not have it',
  'matching limits': 'the console does not have it',
  'enquiries list': 'the console does not have them',
  'travel-rule list': 'the console does not have them',
  'statements uncertain': 'what an earlier version released: the console does not have it',
  'statements profiles': 'with the columns of each: the console lists their names',
  'privacy status': 'with the progress of every table: the console lists the requests',
  'privacy erase':
    'the plan of the erasure, and what was erased; a proposal is printed as the console shows it',
  'banks search': 'with every code and spelling: the console lists those that can be paid to',
};

/** Returns the commands with neither a console response nor a reason for a separate format, and the commands with both. */
export function withoutContract(commands: readonly { readonly name: string }[]): readonly string[] {
  return commands
    .map(({ name }) => name)
    .filter((name) => (COMMAND_ANSWERS[name] === undefined) === (OWN_ANSWERS[name] === undefined));
}

const ALSO: Readonly<Record<string, Members>> = { 'reviews show': of('getProposal') };

const compiled = new Map<string, ReturnType<typeof Compile>>();

/** Returns the problems of a command's output; undefined if it matches the console's response and has no additional members. */
export function differenceToConsole(command: string, answer: unknown): string | undefined {
  if (answer === undefined) return `${command} has no answer`;
  const members = COMMAND_ANSWERS[command];
  if (members === undefined) return undefined;
  const either = [members, ALSO[command] ?? members].map((each) => Type.Object({ ...each }));
  const validator = compiled.get(command) ?? Compile(closed(Type.Union(either), {}));
  compiled.set(command, validator);
  // The check uses the value as the command prints it.
  const [fits, errors] = validator.Errors(JSON.parse(JSON.stringify(answer)));
  return fits ? undefined : `${JSON.stringify(errors)} ${JSON.stringify(answer)}`;
}

/** Returns every member name in the value, at any depth. Throws for values that are not JSON. */
export function namesIn(value: unknown): string[] {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  assert.equal(Object.getPrototypeOf(value), Object.prototype, 'a plain object');
  return Object.entries(value as object).flatMap(([name, each]) =>
    // The detail of an audit entry is shown as stored, because it is part of the entry's hash.
    name === 'detail' ? [name] : [name, ...namesIn(each)],
  );
}
