// The queries of a process to networks while it follows movements. It queries all orders in the same bytes once. It signs stuck
// bytes again once, and stores the new bytes before the broadcast.
import type { Attempt } from '../../../domain/records/movement.ts';
import type { SendStatus } from '../../../ports/networks/network-payer.ts';
import type { PickDeps, SettlementDeps } from '../../engine/deps.ts';
import type { NetworkContact } from '../movement-step.ts';
import { envelopeOf, makeReplacement } from './attempts.ts';
import { makeOfferOnce } from './broadcast.ts';

/** The contact is for one run. A response of a network stays valid for the whole run. */
export function makeNetworkContact(deps: SettlementDeps): NetworkContact {
  const asked = new Map<string, Promise<SendStatus>>();
  const replaced = new Map<string, Promise<void>>();
  return {
    offer: makeOfferOnce(deps),
    ask: (attempt) => runOncePerEnvelope(asked, attempt, () => askNetwork(deps, attempt)),
    replace: (attempt) => runOncePerEnvelope(replaced, attempt, () => replaceEnvelope(deps, attempt)),
  };
}

function runOncePerEnvelope<Answer>(
  answers: Map<string, Promise<Answer>>,
  { mode, network, reference }: Attempt,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const key = `${mode} ${network} ${reference}`;
  const answer = answers.get(key) ?? work();
  answers.set(key, answer);
  return answer;
}

function networkOf({ networks }: PickDeps<'networks'>, { mode, network }: Attempt) {
  return networks.find(mode, network!)!;
}

async function askNetwork(deps: PickDeps<'networks' | 'store'>, attempt: Attempt): Promise<SendStatus> {
  const network = networkOf(deps, attempt);
  const status = await network.ask(envelopeOf(attempt));
  if (status.kind !== 'held') return status;
  // Another process may have signed and stored a new version after this process read the attempt. Then that version used the
  // sequence number, and no foreign transaction did.
  const { movementId, no, replacements } = attempt;
  const stored = (await deps.store.lastAttempts([movementId])).get(movementId);
  if (stored?.no !== no) return { kind: 'unknown', reason: 'another process has continued this payment' };
  return stored.replacements.length > replacements.length ? network.ask(envelopeOf(stored)) : status;
}

async function replaceEnvelope(deps: SettlementDeps, attempt: Attempt): Promise<void> {
  const network = networkOf(deps, attempt);
  const envelope = envelopeOf(attempt);
  const dearer = await network.replace(envelope);
  if (dearer !== undefined && envelope.versions.some(({ hash }) => hash === dearer.hash)) {
    await network.broadcast(dearer);
    return;
  }
  if (dearer === undefined) {
    const { reference } = attempt;
    deps.onTrouble('a send is stuck at the highest fee allowed', { network: network.name, reference });
    // A provider may have dropped the bytes, or the last version may never have been broadcast. Broadcasting the same bytes
    // again is harmless.
    await network.broadcast(envelope.versions.at(-1)!);
    return;
  }
  const atMs = deps.clock.now();
  const [stored] = await deps.store.commit([{ atMs, replacements: [makeReplacement(attempt, dearer)] }]);
  // If the commit was refused, another process was faster and offers its own version.
  if (stored!.kind === 'committed') await network.broadcast(dearer);
}
