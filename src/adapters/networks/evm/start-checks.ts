// Checks the chain before anything is signed or shown to a customer. It must be the right chain, and the token and the
// contracts must match the settings. A mistake here would lose money unnoticed, so the service does not start.
import type { Hex } from 'viem';
import { NoProviderAnswersError, WrongChainError } from '../providers/errors.ts';
import { NOT_DEPLOYED } from '../settings/settings.ts';
import { allowanceAdvice } from './pay/prepare.ts';
import { ProviderFailure } from './rpc/answers.ts';
import type { EvmClient } from './rpc/client.ts';
import type { EvmContext } from './rpc/context.ts';
import {
  allowance,
  balanceOf,
  type ContractQuestion,
  decimals,
  disperseOwner,
  FORWARDER_CODE_HASH,
  factoryCodeHash,
  factoryTreasury,
} from './rpc/contracts.ts';
import { BUSY_ERRORS } from './rpc/requests.ts';

type EvmChainFacts = Awaited<ReturnType<typeof readChainFacts>>;

export async function checkStart(context: EvmContext): Promise<void> {
  const answers = await readStartFacts(context, startProblem);
  if (answers.some(({ allowedMinor }) => allowedMinor === 0n))
    context.parts.onTrouble(allowanceAdvice(context), {});
}

/** Throws with a message for the operator when any provider shows a problem. */
export async function readStartFacts(
  context: EvmContext,
  problemOf: (context: EvmContext, facts: EvmChainFacts) => string | undefined,
): Promise<readonly EvmChainFacts[]> {
  const { settings, parts, providers } = context;
  await requireChain(context);
  const said = await providers
    .agree(
      (client, provider) => readChainFacts(context, client, provider),
      (a, b) => problemOf(context, a) === problemOf(context, b),
    )
    .catch(() => {
      throw new NoProviderAnswersError(settings.name, providers.health());
    });
  const answers = said.kind === 'differ' ? said.answers : [said.answer];
  for (const facts of answers) {
    const problem = problemOf(context, facts);
    if (problem !== undefined) throw new Error(`${settings.name}: ${problem}`);
  }
  if (said.kind === 'unconfirmed')
    parts.onTrouble('only one provider answered at the start', { network: settings.name });
  return answers;
}

/** Checks every provider that responds, not only the first ones, because each of them may be used later. */
async function requireChain({ settings, providers }: EvmContext): Promise<void> {
  for (const [provider, error] of await providers.prove())
    if (error instanceof WrongChainError)
      throw new Error(`${settings.name}: the provider ${provider} is not usable: ${error.message}.`);
}

async function readChainFacts(
  { treasury, token, disperse, factory }: EvmContext,
  client: EvmClient,
  provider: string,
) {
  const ask = <Answer>(to: Hex, question: ContractQuestion<Answer>) =>
    callIfDeployed(client, { from: treasury, to }, question);
  const [finality, tokenDecimals, tokenMinor, allowedMinor, owner, sweepsTo, codeHash] = await Promise.all([
    finalityProblem(client, provider),
    ask(token, decimals),
    ask(token, balanceOf(treasury)),
    disperse === null ? undefined : ask(token, allowance(treasury, disperse)),
    disperse === null ? undefined : ask(disperse, disperseOwner),
    ask(factory, factoryTreasury),
    ask(factory, factoryCodeHash),
  ]);
  return { finality, tokenDecimals, tokenMinor, allowedMinor, owner, sweepsTo, codeHash };
}

/** The problem with the block tag "finalized". Undefined means that the provider knows the tag and has such a block. */
async function finalityProblem(client: EvmClient, provider: string): Promise<string | undefined> {
  const why = 'nothing would ever become final. Use a provider that has final blocks.';
  try {
    const block = await client.block('finalized');
    return block === null ? `${provider} has no final block: ${why}` : undefined;
  } catch (error) {
    // A provider that limits requests may respond to a later request.
    const isAnswer = error instanceof ProviderFailure && error.answered && !BUSY_ERRORS.has(error.code ?? 0);
    if (!isAnswer) throw error;
    return `${provider} does not know the block tag "finalized" (${error.message}): ${why}`;
  }
}

/** Undefined means that no contract responds. */
async function callIfDeployed<Answer>(
  client: EvmClient,
  way: { readonly from: Hex; readonly to: Hex },
  { data, read }: ContractQuestion<Answer>,
): Promise<Answer | undefined> {
  try {
    const answer = await client.call({ ...way, data });
    return answer === '0x' ? undefined : read(answer);
  } catch (error) {
    if (error instanceof WrongChainError || (error instanceof ProviderFailure && !error.answered))
      throw error;
    return undefined;
  }
}

function startProblem(context: EvmContext, facts: EvmChainFacts): string | undefined {
  return setUpProblem(context, facts) ?? notDeployedProblem(context);
}

export function setUpProblem(context: EvmContext, facts: EvmChainFacts): string | undefined {
  return tokenProblem(context, facts) ?? factoryProblem(context, facts) ?? disperseProblem(context, facts);
}

function notDeployedProblem({ settings }: EvmContext): string | undefined {
  const { name, mode, disperse, forwarderFactory } = settings;
  if (disperse !== NOT_DEPLOYED && forwarderFactory !== NOT_DEPLOYED) return undefined;
  return `its contracts are not deployed yet. See: bin/sliproad networks set-up ${name} --mode ${mode}`;
}

function tokenProblem({ settings }: EvmContext, facts: EvmChainFacts): string | undefined {
  const { tokenDecimals, tokenMinor } = facts;
  if (facts.finality !== undefined) return facts.finality;
  if (tokenDecimals === undefined || tokenMinor === undefined)
    return `no token answers at ${settings.token}.`;
  if (tokenDecimals !== settings.decimals)
    return `the token at ${settings.token} has ${tokenDecimals} decimals, but the settings say ${settings.decimals}.`;
  return undefined;
}

function factoryProblem(
  { settings, treasury, wallet }: EvmContext,
  { sweepsTo, codeHash }: EvmChainFacts,
): string | undefined {
  if (settings.forwarderFactory === NOT_DEPLOYED) return undefined;
  if (sweepsTo === undefined || codeHash === undefined)
    return `no forwarder factory answers at ${settings.forwarderFactory}.`;
  if (sweepsTo !== treasury)
    return `the forwarder factory at ${settings.forwarderFactory} sends to ${sweepsTo}, but the treasury is ${wallet}.`;
  if (codeHash !== FORWARDER_CODE_HASH)
    return `the forwarder factory at ${settings.forwarderFactory} does not make the deposit addresses that this version expects.`;
  return undefined;
}

function disperseProblem(
  { settings, treasury, wallet }: EvmContext,
  { owner }: EvmChainFacts,
): string | undefined {
  if (settings.disperse === null || settings.disperse === NOT_DEPLOYED) return undefined;
  if (owner === undefined) return `no paying contract answers at ${settings.disperse}.`;
  if (owner !== treasury)
    return `the paying contract at ${settings.disperse} belongs to ${owner}, but the treasury is ${wallet}.`;
  return undefined;
}
