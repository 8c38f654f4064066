// Looks up the owner of a bank account before a business makes a sell. The service records every request and counts it against
// the limit of the business, even if the result comes from the cache. A request that finds no account counts as several
// requests.
import type { Bank, BankDirectory } from '../../domain/catalogue/banks.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { LookupLimit, LookupTurns } from '../../ports/account-lookups.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import type { NameEnquiryAnswer, NameEnquiryRequest } from '../../ports/rails/rail-payouts.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { checkAccountNumber, FieldErrors } from '../input/field-rules.ts';

/**
 * The owners of accounts as banks reported them, cached for some minutes so that a bank does not get the same request
 * repeatedly. The cache is in the memory of this process, has a maximum size, and is never written to disk.
 */
export type CachedOwner =
  | { readonly kind: 'found'; readonly name: string; readonly atMs: number }
  | { readonly kind: 'no_account'; readonly atMs: number };

export interface OwnerCache {
  find(account: string, atMs: number): CachedOwner | undefined;
  keep(account: string, owner: CachedOwner): void;
}

const FOUND_MS = 5 * 60_000;
/** The service caches "account not found" only briefly, so that a newly opened account is found soon. */
const NOT_FOUND_MS = 60_000;
const MAX_CACHED_OWNERS = 10_000;

export function makeOwnerCache(most = MAX_CACHED_OWNERS): OwnerCache {
  const known = new Map<string, CachedOwner>();
  return {
    find: (account, atMs) => {
      const owner = known.get(account);
      if (owner === undefined) return undefined;
      const keptMs = owner.kind === 'found' ? FOUND_MS : NOT_FOUND_MS;
      if (atMs - owner.atMs < keptMs) return owner;
      known.delete(account);
      return undefined;
    },
    keep: (account, owner) => {
      known.delete(account);
      known.set(account, owner);
      if (known.size > most) known.delete(known.keys().next().value!);
    },
  };
}

/**
 * Asks the rails of a mode that make payouts who owns an account. The service asks the preferred rail first and continues until
 * a rail knows the account.
 */
export type OwnerAnswer =
  | (Exclude<NameEnquiryAnswer, { kind: 'unknown' }> & { readonly rail: string })
  /** `none` means that no rail of this mode makes payouts. `silent` means that no rail can reply now. */
  | { readonly kind: 'unknown'; readonly why: 'none' | 'silent' };

export async function askAccountOwner(
  banks: RailRegistry,
  mode: Mode,
  question: NameEnquiryRequest,
): Promise<OwnerAnswer> {
  let why: 'none' | 'silent' = 'none';
  for (const { name: rail, payouts } of banks.enabled(mode)) {
    if (payouts === null) continue;
    why = 'silent';
    const answer = await payouts.enquireName(question);
    if (answer.kind !== 'unknown') return { ...answer, rail };
  }
  return { kind: 'unknown', why };
}

export interface LookUpAccountDeps {
  readonly rails: RailRegistry;
  readonly directory: BankDirectory;
  readonly turns: LookupTurns;
  readonly memory: OwnerCache;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly limit: LookupLimit;
}

export interface FoundAccount {
  readonly bank: Bank;
  readonly accountNumber: string;
  readonly accountName: string;
  /** The time at which the bank gave the owner. */
  readonly atMs: number;
}

/** A refusal of an account look-up. `waitMs` says how long the caller must wait, if this is known. */
export interface AccountLookupRefusal {
  readonly refused: Refusal;
  readonly waitMs?: number;
}

/** A request that finds no account counts as this many extra requests, so that no person can guess account numbers quickly. */
const TURNS_FOR_A_GUESS = 4;

export async function lookUpAccount(
  deps: LookUpAccountDeps,
  caller: BusinessActor,
  given: { readonly code: string; readonly number: string },
): Promise<Result<FoundAccount, AccountLookupRefusal>> {
  const asked = checkLookup(deps.directory, given);
  if (!asked.ok) return fail({ refused: asked.error });
  const { bank, accountNumber } = asked.value;
  const scope = scopeOf(caller);
  const waitMs = await deps.turns.take(scope, deps.limit);
  if (waitMs > 0) return fail({ refused: TOO_MANY_LOOKUPS, waitMs });
  await deps.audit.record({
    ...{ actor: caller.key.id, atMs: deps.clock.now(), action: 'account.asked' },
    ...{ subject: null, businessId: scope.businessId },
    detail: { mode: scope.mode, bank_code: bank.code, account_number: accountNumber },
  });
  const owner = await findOwner(deps, scope, bank, accountNumber);
  if (!('kind' in owner)) return fail({ refused: owner });
  if (owner.kind === 'found') return ok({ bank, accountNumber, accountName: owner.name, atMs: owner.atMs });
  await deps.turns.charge(scope, deps.limit, TURNS_FOR_A_GUESS);
  return fail({ refused: accountNotFound(bank.name) });
}

async function findOwner(
  { rails, memory, clock }: LookUpAccountDeps,
  { mode }: BusinessScope,
  { code: bankCode }: Bank,
  accountNumber: string,
): Promise<CachedOwner | Refusal> {
  const account = `${mode} ${bankCode} ${accountNumber}`;
  const known = memory.find(account, clock.now());
  if (known !== undefined) return known;
  const owner = await askAccountOwner(rails, mode, {
    bankCode,
    accountNumber,
    expectedName: null,
    about: null,
  });
  if (owner.kind === 'unknown') return owner.why === 'none' ? railNotEnabled(mode) : NO_BANK_ANSWERS;
  const atMs = clock.now();
  const answer: CachedOwner =
    owner.kind === 'found' ? { kind: 'found', name: owner.name, atMs } : { kind: 'no_account', atMs };
  memory.keep(account, answer);
  return answer;
}

function checkLookup(
  directory: BankDirectory,
  { code, number }: { readonly code: string; readonly number: string },
): Result<{ readonly bank: Bank; readonly accountNumber: string }, Refusal> {
  const errors = new FieldErrors();
  const bank = directory.resolve(code);
  if (bank === undefined)
    errors.add('code', 'bank_unknown', 'code is not in the bank directory. Use a code from GET /banks/v1.');
  else if (!bank.payable)
    errors.add('code', 'bank_not_payable', `code: accounts at ${bank.name} cannot receive payouts.`);
  const accountNumber = checkAccountNumber(errors, 'number', number);
  const refused = errors.refusal();
  return refused === undefined ? ok({ bank: bank!, accountNumber: accountNumber! }) : fail(refused);
}

const TOO_MANY_LOOKUPS = refusal(
  'rate_limited',
  'Too many account lookups. Wait for the number of seconds in the retry-after header, then send fewer.',
);

const NO_BANK_ANSWERS = refusal(
  'bank_unavailable',
  'The owner of the account cannot be looked up now. Try again after the number of seconds in the retry-after header.',
);

export function accountNotFound(bankName: string): Refusal {
  const message = `${bankName} has no account with this number. Check the number and the bank with the customer.`;
  return refusal('account_not_found', message);
}

function railNotEnabled(mode: string): Refusal {
  const message = `Accounts cannot be looked up in ${mode} mode yet: the operator has not set up a bank rail.`;
  return refusal('rail_not_enabled', message);
}
