// Makes a network respond within a time limit, so that the lease of an order can cover that time. A late response counts as no
// response. If the same request is already in progress, a second request waits for its response.
import type { Network } from '../../../ports/networks/network.ts';

const LATE = { kind: 'unknown', reason: 'no answer in time' } as const;

export function limitAnswerTime(network: Network, withinMs: number): Network {
  const underWay = new Map<string, Promise<unknown>>();
  const once = <Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const known = underWay.get(question) as Promise<Answer> | undefined;
    if (known !== undefined) return known;
    const asked = ask().finally(() => underWay.delete(question));
    underWay.set(question, asked);
    return asked;
  };
  const inTime = async <Answer>(
    question: string,
    late: NoInfer<Answer>,
    ask: () => Promise<Answer>,
  ): Promise<Answer> => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const timer = setTimeout(resolve, withinMs, late);
    try {
      return await Promise.race([once(question, ask), promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    ...network,
    answersWithinMs: withinMs,
    recipientReady: (payment) => {
      // The key leaves out the order's id, because the destination of the order may have changed since the first request.
      const { to, amountMinor, opensAccount, from } = payment;
      const question = `ready ${to} ${amountMinor} ${opensAccount} ${from}`;
      return inTime(question, 'unknown', () => network.recipientReady(payment));
    },
    broadcast: (prepared) => inTime(`offer ${prepared.hash}`, LATE, () => network.broadcast(prepared)),
    ask: (envelope) => {
      const question = `ask ${envelope.versions.map(({ hash }) => hash).join(' ')}`;
      return inTime(question, LATE, () => network.ask(envelope));
    },
    confirm: (sighting, how) => {
      const { txHash, txIndex, address, memo, amountMinor, beside = [] } = sighting;
      const others = beside.map((each) => `${each.txHash} ${each.amountMinor}`);
      const question = `confirm ${txHash} ${txIndex} ${address} ${amountMinor} ${how?.byTwo === true} ${memo} ${others}`;
      return inTime(question, 'unknown', () => network.confirm(sighting, how));
    },
  };
}
