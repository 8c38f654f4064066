// Lists planted bugs in the guarantees of the database. The bugs are planted in the simulation's model of the database.
import { type Bug, within } from '../patch.ts';

const noFenceOn = (rows: string) =>
  within('isStale').exchange(
    `${rows}.rows.get(after.id)?.version !== version`,
    `${rows}.rows.get(after.id)!.version < version`,
  );

export const STORE_BUGS: readonly Bug[] = [
  {
    name: 'no_fence_on_transactions',
    what: 'A transaction is changed although its version is newer than the one that was read.',
    patches: [noFenceOn('transactions')],
  },
  {
    name: 'no_fence_on_movements',
    what: 'A movement is changed although its version is newer than the one that was read.',
    patches: [noFenceOn('movements')],
  },
  {
    name: 'no_fence_on_credits',
    what: 'A credit is changed although its version is newer than the one that was read.',
    patches: [noFenceOn('credits')],
  },
  {
    name: 'no_fence_on_deposits',
    what: 'A deposit is changed although its version is newer than the one that was read.',
    patches: [noFenceOn('deposits')],
  },
  {
    name: 'no_fence_on_notices',
    what: 'A notice is changed although its version is newer than the one that was read.',
    patches: [noFenceOn('notices')],
  },
  {
    name: 'repeated_line_is_two_credits',
    what: 'A line that the bank reports again becomes another credit.',
    patches: [
      within('sourceOfCredit').exchange('sourceId }', 'id }'),
      within('sourceOfCredit').exchange('sourceId)', 'id)'),
    ],
  },
  {
    name: 'repeated_transfer_is_two_deposits',
    what: 'A transfer that the network reports again becomes another deposit.',
    patches: [
      within('sourceOfDeposit').exchange('txIndex }', 'id }'),
      within('sourceOfDeposit').exchange('txIndex)', 'id)'),
    ],
  },
  {
    name: 'reference_accepted_twice',
    what: 'The same reference of a business is accepted twice.',
    patches: [
      within('insert', { folder: 'simulation/model' }).exchange('memory.references.has(reference)', 'false'),
    ],
  },
  {
    name: 'limits_not_enforced',
    what: 'Two processes together may use more than the limit.',
    patches: [within('writeUsage').exchange('usedMinor > limitMinor', 'false')],
  },
  {
    name: 'stale_change_is_written',
    what: 'A change that is reported as stale is written all the same.',
    patches: [within('runStatement').exchange('!stale.has(unit)', 'true')],
  },
  {
    name: 'outcomes_in_another_order',
    what: 'The outcomes of a commit are returned in another order than its changes.',
    patches: [
      within('commitRound', { folder: 'simulation/model' }).exchange(
        'outcomes[at]',
        'outcomes[placed.at(-1 - unit)!.at]',
      ),
    ],
  },
  {
    name: 'first_attempt_for_last',
    what: 'The first attempt of a movement is read in place of the last one.',
    patches: [within('lastAttempts').exchange('at(-1)', 'at(0)')],
  },
];
