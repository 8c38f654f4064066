// What `npm run new` can make. A kind names its templates, the lines of registration, and what a contributor does next.
import { networkFamily } from './kinds/network-family.ts';
import { page } from './kinds/page.ts';
import { rail } from './kinds/rail.ts';
import { rateSource } from './kinds/rate-source.ts';
import type { Scaffold } from './write.ts';

export interface Made {
  readonly scaffold: Scaffold;
  readonly next: readonly string[];
}

interface Kind {
  readonly usage: string;
  readonly what: string;
  /** Reads and writes nothing but templates. Throws Refused. */
  make(given: string): Made;
}

export const KINDS: Readonly<Record<string, Kind>> = {
  rail: {
    usage: 'rail NAME',
    what: 'a kind of bank rail (docs/extend/adding-a-bank-rail.md)',
    make: rail,
  },
  'network-family': {
    usage: 'network-family NAME',
    what: 'a family of networks (docs/extend/adding-a-network.md)',
    make: networkFamily,
  },
  page: {
    usage: 'page [AREA/]NAME',
    what: 'a page of the dashboard; AREA is operator (unless given) or business (docs/extend/adding-a-page.md)',
    make: page,
  },
  'rate-source': {
    usage: 'rate-source NAME',
    what: 'a kind of rate source (docs/extend/adding-a-rate-source.md)',
    make: rateSource,
  },
};
