// Runs the treasury watch of the service on the tables of the model. A finding is a broken promise: in the simulation no person
// steals a key, so the service signed every transfer from a treasury, and the transfer is in progress or paid.
import { describeFinding, type SignedSend } from '../../../src/domain/movements/outflows.ts';
import type { TreasuryWatch } from '../../../src/ports/treasury.ts';
import type { Model } from '../model/model.ts';
import { joined } from '../model/tables.ts';
import type { Setting } from './setting.ts';

export function modelTreasuryWatch(model: Pick<Model, 'tables'>, broken: Setting['broken']): TreasuryWatch {
  const positions = new Map<string, string>();
  const left = new Map<string, bigint>();
  const sendOf = (mode: string, network: string, hash: string): SignedSend | undefined => {
    const { hashes, attempts, movements } = model.tables;
    const orders: SignedSend['orders'][number][] = [];
    for (let index = 0; ; index++) {
      const name = hashes.get(joined(mode, network, hash, index));
      if (name === undefined) break;
      const { state } = attempts.get(name.movementId)!.find(({ no }) => no === name.no)!;
      orders.push({ ...name, amountMinor: movements.get(name.movementId)!.amountMinor, state });
    }
    const leftMinor = left.get(joined(mode, network, hash)) ?? 0n;
    return orders.length === 0 ? undefined : { orders, leftMinor };
  };
  return {
    position: async (mode, network) => positions.get(`${mode} ${network}`) ?? null,
    keepPosition: async (mode, network, position) => {
      positions.set(`${mode} ${network}`, position);
    },
    noteLeft: async (mode, network, seen) => {
      for (const [hash, amountMinor] of seen) left.set(joined(mode, network, hash), amountMinor);
    },
    sendsByHash: async (mode, network, hashes) =>
      new Map(
        hashes.flatMap((hash) => {
          const send = sendOf(mode, network, hash);
          return send === undefined ? [] : [[hash, send] as const];
        }),
      ),
    accepted: async () => new Set(),
    stop: async (_of, findings) => {
      for (const finding of findings)
        broken(
          'everything that leaves a treasury was signed, and is in progress or paid',
          describeFinding(finding),
          finding.movementIds[0] ?? null,
        );
      return findings;
    },
    openFindings: async () => [],
    haltOf: async () => undefined,
    deadSends: async () => [],
  };
}
