// Mistakes somebody could make, each as a change to the text of one place. The simulation must catch every one of them.
import type { Bug } from './plant.ts';

export const BUGS: readonly Bug[] = [
  {
    name: 'bank_unknown_is_failed',
    what: 'A payout whose outcome is unknown is taken for failed, and the tokens go back.',
    patches: [
      {
        file: 'src/app/bank-steps.ts',
        find: "    case 'unknown':\n      return unknown(alive, soon, status.reason);",
        replace: "    case 'unknown':\n      return undoPayout(deps, alive, 'no answer', atMs);",
      },
    ],
  },
];
