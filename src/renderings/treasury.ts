// Renders a treasury: its balance on the chain, its balance in the ledger, its providers and its last sends. Token amounts are
// texts in whole tokens, with all decimals of the network. A provider is shown by its name, because its address may contain a
// key.
import { Type } from 'typebox';
import { describeHalt } from '../app/ledger/browse-ledger.ts';
import type { ShownSend, ShownTreasury } from '../app/treasury/show-treasuries.ts';
import type { Mode } from '../domain/values/mode.ts';
import { formatDecimal } from '../domain/values/money.ts';
import type { DisabledNetwork, Networks } from '../ports/networks/network.ts';
import type { ProviderState } from '../ports/networks/network-watch.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime } from './parts/values.ts';

const tokens = Type.String({ description: 'In whole tokens.' });
const text = Type.String();
const maybe = schemas.nullable;

export const sendShape = schemas.nameSchema(
  'TreasurySend',
  Type.Object({
    movement_id: text,
    kind: schemas.oneOf(['send', 'payout', 'refund', 'sweep', 'withdrawal']),
    state: schemas.oneOf(['pending', 'sending', 'unknown', 'done', 'failed', 'returned']),
    reason: maybe(text),
    network: text,
    asset: text,
    amount: maybe(tokens),
    address: maybe(text),
    transaction_id: maybe(text),
    tx_hash: maybe(text),
    explorer_url: maybe(text),
    created_at: schemas.time,
    updated_at: schemas.time,
  }),
);

const chain = schemas.nameSchema(
  'TreasuryChain',
  Type.Object({
    address: Type.String({ description: 'The wallet that pays: send tokens and coin here to top it up.' }),
    balance: tokens,
    low_mark: tokens,
    unswept: Type.String({ description: 'Tokens at deposit addresses that are not swept yet.' }),
    drift: Type.String({
      description: 'The difference between the balance and the books that is not explained.',
    }),
    low: Type.Array(schemas.oneOf(['token', 'native'])),
    gas: Type.Object({
      ...{ asset: text, balance: text, low_mark: text },
      locked: Type.String({ description: 'Held in addition to the balance; it cannot be spent.' }),
      spent: Type.String({ description: 'Spent on fees and on opening token accounts.' }),
      gained: Type.String({ description: 'Received from closed deposit accounts.' }),
      put_in: Type.String({
        description: 'What the wallet would hold without spent and gained: top-ups by people.',
      }),
    }),
    read_at: schemas.time,
  }),
);

const provider = schemas.nameSchema(
  'TreasuryProvider',
  Type.Object({
    ...{ name: text, answers: Type.Boolean(), problem: maybe(text) },
    ...{ failures: Type.Integer(), silent_seconds: Type.Integer() },
  }),
);

export const disabledNetworkShape = Type.Object({ mode: schemas.mode, network: text, problem: text });

export const treasuryShape = schemas.nameSchema(
  'Treasury',
  Type.Object({
    ...{ mode: schemas.mode, network: text, asset: text, decimals: Type.Integer() },
    chain: maybe(chain),
    problem: maybe(Type.String({ description: 'Why the chain could not be read.' })),
    booked: Type.String({ description: 'free, reserved and in_flight together, as the ledger has them.' }),
    ...{ free: tokens, reserved: tokens, in_flight: tokens },
    halted: maybe(Type.Object({ reason: text, since: schemas.time })),
    caps: maybe(Type.Object({ per_payment: maybe(tokens), per_day: maybe(tokens), today: tokens })),
    providers: Type.Array(provider),
    sends: Type.Array(sendShape),
  }),
);

export function renderTreasury(
  mode: Mode,
  shown: ShownTreasury,
  networks: Networks,
): schemas.JsonOf<typeof treasuryShape> {
  const { network, asset, books, problem, halt, providers, sends } = shown;
  const { freeMinor, reservedMinor, inFlightMinor } = books;
  const inTokens = (amountMinor: bigint) => formatDecimal(amountMinor, asset.decimals);
  return {
    ...{ mode, network, asset: asset.code, decimals: asset.decimals },
    chain: renderChain(shown),
    problem,
    booked: inTokens(freeMinor + reservedMinor + inFlightMinor),
    free: inTokens(freeMinor),
    reserved: inTokens(reservedMinor),
    in_flight: inTokens(inFlightMinor),
    halted: halt && { reason: describeHalt(networks, halt), since: isoTime(halt.atMs) },
    caps: renderCaps(shown),
    providers: providers.map(renderProvider),
    sends: sends.map((each) => renderSend(each, networks)),
  };
}

function renderChain(shown: ShownTreasury): schemas.JsonOf<typeof chain> | null {
  const { chain: state, asset, readAtMs } = shown;
  if (state === null) return null;
  const { coin } = state;
  const { wallet, tokenMinor, native, marks } = state.chain;
  const inTokens = (amountMinor: bigint) => formatDecimal(amountMinor, asset.decimals);
  const inCoin = (amountMinor: bigint) => formatDecimal(amountMinor, native.decimals);
  return {
    address: wallet,
    balance: inTokens(tokenMinor),
    low_mark: inTokens(marks.tokenMinor),
    unswept: inTokens(state.unsweptMinor),
    drift: inTokens(state.unexplainedMinor),
    low: state.low,
    gas: {
      ...{ asset: native.asset, balance: inCoin(native.amountMinor), low_mark: inCoin(marks.nativeMinor) },
      ...{ locked: inCoin(native.lockedMinor), spent: inCoin(coin.spentMinor) },
      ...{ gained: inCoin(coin.gainedMinor), put_in: inCoin(coin.putInMinor) },
    },
    read_at: isoTime(readAtMs),
  };
}

function renderCaps({ caps, asset }: ShownTreasury) {
  if (caps === null) return null;
  const orNone = (amountMinor: bigint | null) =>
    amountMinor === null ? null : formatDecimal(amountMinor, asset.decimals);
  const { perPaymentMinor, perDayMinor, todayMinor } = caps;
  return {
    per_payment: orNone(perPaymentMinor),
    per_day: orNone(perDayMinor),
    today: formatDecimal(todayMinor, asset.decimals),
  };
}

function renderProvider({
  name,
  problem,
  failures,
  silentMs,
}: ProviderState): schemas.JsonOf<typeof provider> {
  return {
    ...{ name, answers: problem === null, problem, failures },
    silent_seconds: Math.round(silentMs / 1_000),
  };
}

export function renderSend(
  { movement, hash, explorerUrl }: ShownSend,
  networks: Networks,
): schemas.JsonOf<typeof sendShape> {
  const { id, kind, mode, state, reason, asset, amountMinor, destination } = movement;
  const network = movement.network ?? '';
  const places = networks.find(mode, network)?.asset.decimals;
  return {
    ...{ movement_id: id, kind, state, reason, network, asset: asset.split('@')[0] ?? asset },
    amount: places === undefined ? null : formatDecimal(amountMinor, places),
    address: destination !== null && 'address' in destination ? destination.address : null,
    transaction_id: movement.transactionId,
    tx_hash: hash,
    explorer_url: explorerUrl,
    created_at: isoTime(movement.createdAtMs),
    updated_at: isoTime(movement.updatedAtMs),
  };
}

export function renderDisabledNetwork({
  mode,
  name,
  problem,
}: DisabledNetwork): schemas.JsonOf<typeof disabledNetworkShape> {
  return { mode, network: name, problem };
}
