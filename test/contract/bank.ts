// What every bank adapter must do, as tests. A harness brings a bank, its time and its troubles.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Bank, CreditLine, PayoutOrder, PayoutStatus } from '../../src/ports/bank.ts';
import type { Sandbox, SandboxCredit } from '../../src/ports/sandbox.ts';

/** `unclear` and `missing`: it pays, and for a while says "unknown" or "not found" when asked. */
export type PayTrouble = 'no_connection' | 'answer_lost' | 'unclear' | 'missing' | 'fails';

export interface BankHarness {
  readonly bank: Bank;
  /** Another adapter on the same bank, as after a restart. */
  restarted(): Bank;
  /** What the next call to pay this reference meets. */
  trouble(reference: string, kind: PayTrouble): void;
  /** A good while passes, in small steps. */
  untilSettled(step: () => Promise<void>): Promise<void>;
  /** How often a reference was really paid. */
  paidTimes(reference: string): Promise<number>;
  /** What others do to our accounts. */
  readonly outside: Pick<Sandbox, 'payIn' | 'reverse' | 'returnPayout'>;
  /** An account that does not exist. */
  readonly noAccount: string;
}

export function bankContract(name: string, makeHarness: () => BankHarness | Promise<BankHarness>): void {
  const contract = (title: string, run: (harness: BankHarness) => Promise<void>) =>
    test(`${name}: ${title}`, async () => run(await makeHarness()));
  const order = (): PayoutOrder => ({
    reference: `mov-${randomUUID()}`,
    amountMinor: 100_000_00n,
    destination: { bankCode: '058', accountNumber: '0123456785', accountName: 'Ada Obi' },
    about: null,
  });
  const watch = async ({ bank, untilSettled }: BankHarness, reference: string) => {
    const answers: PayoutStatus[] = [];
    await untilSettled(async () => {
      const answer = await bank.ask(reference);
      if (answer.kind !== answers.at(-1)?.kind) answers.push(answer);
    });
    return { last: answers.at(-1)!, kinds: answers.map(({ kind }) => kind) };
  };

  contract('a payout is pending, then paid, with its session and its charge', async (harness) => {
    const wanted = order();
    assert.deepEqual(await harness.bank.pay(wanted), { kind: 'pending' });
    const { kinds, last } = await watch(harness, wanted.reference);
    assert.deepEqual(kinds, ['pending', 'paid']);
    assert.ok(last.kind === 'paid');
    assert.match(last.sessionId ?? '', /^[0-9]{30}$/);
    assert.equal(last.chargeMinor, 103_75n);
    assert.equal(await harness.paidTimes(wanted.reference), 1);
  });

  contract(
    'threat 56: a reference is paid once, however often and from wherever it is asked',
    async (harness) => {
      const wanted = order();
      const other = harness.restarted();
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => harness.bank.pay(wanted)),
        ...Array.from({ length: 5 }, () => other.pay(wanted)),
      ]);
      for (const { kind } of answers) assert.match(kind, /^(pending|paid)$/);
      const { last } = await watch(harness, wanted.reference);
      assert.deepEqual(await other.pay(wanted), last);
      assert.equal(await harness.paidTimes(wanted.reference), 1);
    },
  );

  contract('threat 56: a payout that timed out is unknown, and asking finds it paid', async (harness) => {
    const wanted = order();
    harness.trouble(wanted.reference, 'answer_lost');
    assert.equal((await harness.bank.pay(wanted)).kind, 'unknown');
    const { last } = await watch(harness, wanted.reference);
    assert.equal(last.kind, 'paid');
    assert.equal((await harness.bank.pay(wanted)).kind, 'paid');
    assert.equal(await harness.paidTimes(wanted.reference), 1);
  });

  contract(
    'threat 56: a call that never arrived is unknown; the same reference again pays once',
    async (harness) => {
      const wanted = order();
      harness.trouble(wanted.reference, 'no_connection');
      assert.equal((await harness.bank.pay(wanted)).kind, 'unknown');
      assert.deepEqual(await harness.bank.ask(wanted.reference), { kind: 'not_found' });
      assert.equal((await harness.bank.pay(wanted)).kind, 'pending');
      assert.equal((await watch(harness, wanted.reference)).last.kind, 'paid');
      assert.equal(await harness.paidTimes(wanted.reference), 1);
    },
  );

  for (const [trouble, said] of [
    ['unclear', 'unknown'],
    ['missing', 'not_found'],
  ] as const) {
    contract(
      `threat 57: a bank that says ${said} and then pays never says failed in between`,
      async (harness) => {
        const wanted = order();
        harness.trouble(wanted.reference, trouble);
        assert.equal((await harness.bank.pay(wanted)).kind, 'unknown');
        const { kinds } = await watch(harness, wanted.reference);
        assert.deepEqual(kinds, [said, 'pending', 'paid']);
        assert.equal(await harness.paidTimes(wanted.reference), 1);
      },
    );
  }

  contract(
    'threat 57: failed is terminal: nothing was paid, and the reference never will be',
    async (harness) => {
      const wanted = order();
      harness.trouble(wanted.reference, 'fails');
      assert.equal((await harness.bank.pay(wanted)).kind, 'pending');
      assert.deepEqual((await watch(harness, wanted.reference)).kinds, ['pending', 'failed']);
      assert.equal((await harness.bank.pay(wanted)).kind, 'failed');
      assert.deepEqual((await watch(harness, wanted.reference)).kinds, ['failed']);
      assert.equal(await harness.paidTimes(wanted.reference), 0);
      assert.equal(await harness.outside.returnPayout(wanted.reference), false);
    },
  );

  contract(
    'a name enquiry answers the holder, or that there is no such account',
    async ({ bank, noAccount }) => {
      const question = { bankCode: '058', accountNumber: '0123456785', expectedName: 'Ada Obi', about: null };
      assert.deepEqual(await bank.enquireName(question), { kind: 'found', name: 'Ada Obi' });
      const unnamed = await bank.enquireName({ ...question, expectedName: null });
      assert.ok(unnamed.kind === 'found' && unnamed.name !== '');
      const none = await bank.enquireName({ ...question, accountNumber: noAccount });
      assert.deepEqual(none, { kind: 'no_account' });
    },
  );

  statementContract(contract, order);
}

function statementContract(
  contract: (title: string, run: (harness: BankHarness) => Promise<void>) => void,
  order: () => PayoutOrder,
): void {
  const credit: SandboxCredit = {
    accountNumber: '1234567890',
    accountBankCode: '058',
    amountMinor: 1_500_000n,
    payerAccount: '******6785',
    payerBankName: 'Some Bank',
    payerName: 'Ọláṣẹ́hìndé "O\'Neil" \\ 😀',
    narration: null,
    sessionId: null,
  };
  const upToNow = async ({ bank }: BankHarness): Promise<string> => {
    let { position, lines } = await bank.statement(null);
    while (lines.length > 0) ({ position, lines } = await bank.statement(position));
    return position;
  };

  contract('a payment in is a credit line, as it was paid', async (harness) => {
    const before = await upToNow(harness);
    const id = randomUUID();
    await harness.outside.payIn(id, credit, 1);
    const { lines, position } = await harness.bank.statement(before);
    assert.equal(lines.length, 1);
    const { valueAtMs, raw, ...line } = lines[0] as CreditLine;
    assert.deepEqual(line, { kind: 'credit', sourceId: id, ...credit });
    assert.ok(Number.isSafeInteger(valueAtMs) && raw !== undefined);
    assert.deepEqual(await harness.restarted().statement(before), { lines, position });
    assert.deepEqual(await harness.bank.statement(position), { lines: [], position });
  });

  contract(
    'threat 18: a line told twice has one source id; a payment given again is the same',
    async (harness) => {
      const before = await upToNow(harness);
      const id = randomUUID();
      await harness.outside.payIn(id, credit, 2);
      await harness.outside.payIn(id, { ...credit, amountMinor: 1n }, 3);
      const { lines } = await harness.bank.statement(before);
      assert.deepEqual(
        lines.map(({ sourceId, amountMinor }) => `${sourceId} ${amountMinor}`),
        [`${id} 1500000`, `${id} 1500000`],
      );
    },
  );

  contract(
    'a reader that restarts at its stored position misses nothing and repeats nothing',
    async (harness) => {
      let position = await upToNow(harness);
      const paid: string[] = [];
      const read: string[] = [];
      for (let round = 0; round < 4; round++) {
        const batch = Array.from({ length: 5 }, () => randomUUID());
        await Promise.all(batch.map((id) => harness.outside.payIn(id, credit, 1)));
        paid.push(...batch);
        if (round === 1) continue;
        const statement = await harness.restarted().statement(position);
        read.push(...statement.lines.map(({ sourceId }) => sourceId));
        position = statement.position;
      }
      assert.deepEqual(read.toSorted(), paid.toSorted());
    },
  );

  contract('a credit taken back is a notice about it, once', async (harness) => {
    const id = randomUUID();
    assert.equal(await harness.outside.reverse(id), false);
    await harness.outside.payIn(id, credit, 1);
    const before = await upToNow(harness);
    assert.equal(await harness.outside.reverse(id), true);
    assert.equal(await harness.outside.reverse(id), true);
    const { lines } = await harness.bank.statement(before);
    assert.deepEqual(
      lines.map((line) => [line.kind, line.kind !== 'credit' && line.about, line.amountMinor]),
      [['credit_reversed', id, 1_500_000n]],
    );
  });

  contract(
    'a payout that returns is a notice about our reference, and only once it was made',
    async (harness) => {
      const wanted = order();
      const { reference } = wanted;
      assert.equal(await harness.outside.returnPayout(reference), false);
      await harness.bank.pay(wanted);
      assert.equal(await harness.outside.returnPayout(reference), false);
      await harness.untilSettled(async () => undefined);
      const before = await upToNow(harness);
      assert.equal(await harness.outside.returnPayout(reference), true);
      assert.equal(await harness.outside.returnPayout(reference), true);
      const { lines } = await harness.bank.statement(before);
      assert.deepEqual(
        lines.map((line) => [line.kind, line.kind !== 'credit' && line.about, line.amountMinor]),
        [['payout_returned', reference, 100_000_00n]],
      );
    },
  );
}
