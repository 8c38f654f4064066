// The simulated networks keep the contract of a network, in memory and in PostgreSQL.
import { simulatedNetworks } from '../../src/adapters/networks/registry.ts';
import { type NetworkHarness, networkContract } from './network.ts';
import { inMemory, inPostgres, makeStages, type Stage } from './simulated-world.ts';

function harness(stage: Stage, name: string): NetworkHarness {
  const find = (simulation: Stage['simulation']) =>
    simulatedNetworks({ offCurve: 'accept' }, simulation).find((each) => each.name === name)!;
  const network = find(stage.simulation);
  return {
    network,
    restarted: () => find(stage.restarted()),
    wallet: WALLETS[name]!,
    trouble: ({ hash }, kind) => stage.meets('broadcast', hash, kind),
    untilExpired: ({ bound }) => stage.setTo(Number(bound) + 1),
    untilFinal: stage.untilSettled,
    paidTimes: network.paidTimes,
    deposit: network.arrive,
    willBeGone: (id) => stage.meets('arrive', id, 'gone'),
    ...(name === 'Stellar' && {
      unready: async (payment) => {
        const about = `txn ${payment.orderId}`;
        await stage.addPlay(about, 'no_trustline');
        return { ...payment, about };
      },
    }),
  };
}

const WALLETS: Readonly<Record<string, string>> = {
  Stellar: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  Polygon: '0x52908400098527886E0F7030069857D2E4169EE7',
  Solana: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  Avalanche: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};

for (const name of Object.keys(WALLETS)) {
  const stages = makeStages(inMemory());
  networkContract(`${name} in memory`, () => harness(stages(), name));
}
const postgres = await inPostgres();
// One network of each kind: with memos and trustlines, and without.
for (const name of ['Stellar', 'Polygon']) {
  const stages = makeStages(postgres);
  networkContract(`${name} in PostgreSQL`, () => harness(stages(), name));
}
