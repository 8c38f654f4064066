// What must be true before anything is signed, asked of every provider that answers: the network, the token and the treasury
// are those of the settings. What is wrong is said in the operator's words, and the start is refused.
import { type AccountState, type History, loadAccount, loadHistory, MEMO_REQUIRED } from './account.ts';
import type { Chain } from './chain.ts';
import { DECIMALS } from './fields.ts';
import type { Horizon } from './horizon.ts';

interface Facts {
  readonly history: History;
  readonly issuerExists: boolean;
  readonly account: AccountState | undefined;
}

/** Throws an Error for the operator. */
export async function checkStart(chain: Chain): Promise<void> {
  const { settings, providers, treasury, onTrouble } = chain;
  const { name, decimals, native } = settings;
  if (decimals !== DECIMALS)
    throw new Error(`${name}: every token has ${DECIMALS} decimals here, the settings say ${decimals}.`);
  if (native.decimals !== DECIMALS)
    throw new Error(
      `${name}: the native coin has ${DECIMALS} decimals, the settings say ${native.decimals}.`,
    );
  const hosts = settings.rpc.map((url) => new URL(url).host);
  const answers = await providers.all((horizon) => loadFacts(chain, horizon));
  const facts = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined));
  for (const [index, each] of facts.entries()) {
    const problem = each === undefined ? undefined : problemOf(chain, each);
    if (problem !== undefined) throw new Error(`${name}: at ${hosts[index]} ${problem}`);
  }
  const first = facts.find((each) => each !== undefined);
  if (first === undefined) throw new Error(`${name}: no provider answers (${hosts.join(', ')}).`);
  if (first.account?.memoRequired === true) return;
  onTrouble(
    `${name}: the treasury account does not ask its senders for a memo, so deposits may come without one. Set it with: ` +
      `stellar tx new manage-data --source-account <treasury key> --data-name ${MEMO_REQUIRED} --data-value 31`,
    { treasury },
  );
}

async function loadFacts({ token, treasury }: Chain, horizon: Horizon): Promise<Facts> {
  const history = await loadHistory(horizon);
  const issuer = await horizon.get(`/accounts/${token.issuer}`);
  return {
    history,
    issuerExists: issuer !== undefined,
    account: await loadAccount(horizon, treasury, token),
  };
}

function problemOf({ settings, token, treasury }: Chain, facts: Facts): string | undefined {
  const { history, issuerExists, account } = facts;
  if (history.passphrase !== settings.passphrase)
    return `the network is "${history.passphrase.slice(0, 80)}", the settings say "${settings.passphrase}".`;
  if (!issuerExists) return `the issuer ${token.issuer} of ${token.code} does not exist.`;
  if (account === undefined) return `the treasury account ${treasury} does not exist.`;
  if (account.trustline === undefined)
    return `the treasury account ${treasury} has no trustline for ${token.code} of ${token.issuer}.`;
  if (!account.trustline.authorised)
    return `the treasury account ${treasury} is not authorised by ${token.issuer} to hold ${token.code}.`;
  if (account.weight < Math.max(1, account.paymentThreshold))
    return `the key of the treasury account ${treasury} alone may not pay: it weighs ${account.weight} of ${account.paymentThreshold}.`;
  return undefined;
}
