// The checks before anything is signed, at every provider that responds. The network, the token and the treasury must match the
// settings. Otherwise the start is refused with a message for the operator.
import { NoProviderAnswersError, WrongChainError } from '../providers/errors.ts';
import { type AccountState, loadAccount, MEMO_REQUIRED, NAMES_NO_LEDGER } from './horizon/account.ts';
import { DECIMALS, type HorizonFields, isFields, UnreadableAnswer } from './horizon/fields.ts';
import { type Horizon, HorizonError } from './horizon/horizon.ts';
import { loadHistory, type ServerHistory } from './horizon/ledgers.ts';
import type { StellarChain } from './horizon/stellar-chain.ts';

interface StellarChainFacts {
  readonly history: ServerHistory;
  readonly issuer: IssuerFlags | undefined;
  readonly account: AccountState | undefined;
}

interface IssuerFlags {
  readonly revocable: boolean;
  readonly clawback: boolean;
}

export async function checkStart(chain: StellarChain): Promise<void> {
  const facts = await readStartFacts(chain, startProblem);
  const { settings, treasury } = chain;
  const { name, mode } = settings;
  for (const power of issuerPowers(facts))
    chain.onTrouble(`${name}: the issuer ${power}. Hold no more there than you can afford to lose.`, {
      treasury,
    });
  if (facts.account?.memoRequired === true) return;
  chain.onTrouble(
    `${name}: the treasury account does not ask its senders for a memo, so deposits may come without one. Set ` +
      `${MEMO_REQUIRED} with: bin/sliproad networks set-up ${name} --mode ${mode}`,
    { treasury },
  );
}

/** Checks the facts of every provider that responds, and returns the facts of one. */
export async function readStartFacts(
  chain: StellarChain,
  problemOf: (chain: StellarChain, facts: StellarChainFacts) => string | undefined,
): Promise<StellarChainFacts> {
  const { settings, providers } = chain;
  const { name, decimals, native } = settings;
  if (decimals !== DECIMALS)
    throw new Error(`${name}: every token has ${DECIMALS} decimals here, but the settings say ${decimals}.`);
  if (native.decimals !== DECIMALS)
    throw new Error(
      `${name}: the native coin has ${DECIMALS} decimals, but the settings say ${native.decimals}.`,
    );
  const hosts = settings.rpc.map((url) => new URL(url).host);
  const answers = await providers.all((horizon) => loadChainFacts(chain, horizon));
  for (const [index, answer] of answers.entries())
    if (answer.status === 'rejected' && answer.reason instanceof WrongChainError)
      throw new Error(`${name}: at ${hosts[index]}: ${answer.reason.message}.`);
  const facts = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined));
  for (const [index, each] of facts.entries()) {
    const problem = each === undefined ? undefined : problemOf(chain, each);
    if (problem !== undefined) throw new Error(`${name}: at ${hosts[index]} ${problem}`);
  }
  const first = facts.find((each) => each !== undefined);
  if (first === undefined) throw new NoProviderAnswersError(name, providers.health());
  return first;
}

async function loadChainFacts(
  { token, treasury }: StellarChain,
  horizon: Horizon,
): Promise<StellarChainFacts> {
  const history = await loadHistory(horizon).catch(rethrowExplained);
  const issuer = await horizon.get(`/accounts/${token.issuer}`);
  return {
    history,
    issuer: issuer === undefined ? undefined : flagsOf(issuer),
    account: await loadAccount(horizon, treasury, token),
  };
}

/** Statuses that any server may return: wrong credentials, payment required, or too many requests. */
const ANYBODYS: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** Explains the error if a server that is not Horizon responds at that URL. */
function rethrowExplained(error: unknown): never {
  const { status, message } = error as HorizonError;
  const isAnother =
    error instanceof UnreadableAnswer ||
    (error instanceof HorizonError && status !== null && status < 500 && !ANYBODYS.has(status));
  if (!isAnother) throw error;
  throw new HorizonError(`there is no Horizon server at this URL: ${message}`);
}

function flagsOf({ flags }: HorizonFields): IssuerFlags {
  const { auth_revocable, auth_clawback_enabled } = isFields(flags) ? flags : {};
  return { revocable: auth_revocable === true, clawback: auth_clawback_enabled === true };
}

function issuerPowers({ issuer, account }: StellarChainFacts): readonly string[] {
  const clawback = issuer?.clawback === true || account?.trustline?.clawback === true;
  return [
    ...(clawback ? ['can take back what the treasury holds (clawback)'] : []),
    ...(issuer?.revocable === true ? ['can freeze what the treasury holds (auth_revocable)'] : []),
  ];
}

function startProblem(chain: StellarChain, facts: StellarChainFacts): string | undefined {
  return setUpProblem(chain, facts) ?? lineProblem(chain, facts) ?? powerProblem(chain, facts);
}

export function setUpProblem(
  { settings, token, treasury }: StellarChain,
  facts: StellarChainFacts,
): string | undefined {
  const { history, issuer, account } = facts;
  if (history.passphrase !== settings.passphrase)
    return `the network is "${history.passphrase.slice(0, 80)}", but the settings say "${settings.passphrase}".`;
  if (issuer === undefined) return `the issuer ${token.issuer} of ${token.code} does not exist.`;
  if (account === undefined)
    return `the treasury account ${treasury} does not exist: send it some ${settings.native.asset}.`;
  if (account.ledger === null) return `${NAMES_NO_LEDGER}. Without it, no payment can be proven lost.`;
  const neededWeight = Math.max(1, account.paymentThreshold);
  if (account.weight < neededWeight)
    return `the key of the treasury account ${treasury} may not pay alone: its weight is ${account.weight}, and a payment needs ${neededWeight}.`;
  return undefined;
}

function lineProblem(
  { settings, token, treasury }: StellarChain,
  { account }: StellarChainFacts,
): string | undefined {
  const { name, mode } = settings;
  if (account?.trustline === undefined)
    return `the treasury account ${treasury} has no trustline for ${token.code} of ${token.issuer}. See: bin/sliproad networks set-up ${name} --mode ${mode}`;
  if (!account.trustline.authorised)
    return `the treasury account ${treasury} is not authorised by ${token.issuer} to hold ${token.code}.`;
  return undefined;
}

function powerProblem({ settings }: StellarChain, facts: StellarChainFacts): string | undefined {
  const [power] = settings.issuerControl === 'refuse' ? issuerPowers(facts) : [];
  return power === undefined ? undefined : `the issuer ${power}, and "issuer_control" refuses that.`;
}
