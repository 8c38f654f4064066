// Lists what `npm run new` can create. A kind has its templates, the registration lines, and the next steps for the
// contributor.
import { scaffoldNetworkFamily } from './kinds/network-family.ts';
import { scaffoldPage } from './kinds/page.ts';
import { scaffoldRail } from './kinds/rail.ts';
import { scaffoldRateSource } from './kinds/rate-source.ts';
import type { Scaffold } from './write-scaffold.ts';

export interface MadeScaffold {
  readonly scaffold: Scaffold;
  readonly next: readonly string[];
}

interface ScaffoldKind {
  readonly usage: string;
  readonly what: string;
  /** Only reads templates and writes nothing. Throws ScaffoldRefused. */
  make(given: string): MadeScaffold;
}

export const SCAFFOLD_KINDS: Readonly<Record<string, ScaffoldKind>> = {
  rail: {
    usage: 'rail NAME',
    what: 'a kind of bank rail (docs/extend/adding-a-bank-rail.md)',
    make: scaffoldRail,
  },
  'network-family': {
    usage: 'network-family NAME',
    what: 'a family of networks (docs/extend/adding-a-network.md)',
    make: scaffoldNetworkFamily,
  },
  page: {
    usage: 'page [AREA/]NAME',
    what: 'a page of the dashboard; AREA is operator (the default) or business (docs/extend/adding-a-page.md)',
    make: scaffoldPage,
  },
  'rate-source': {
    usage: 'rate-source NAME',
    what: 'a kind of rate source (docs/extend/adding-a-rate-source.md)',
    make: scaffoldRateSource,
  },
};
