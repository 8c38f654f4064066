// What of a threat no test covers yet. docs/concepts/threats.md prints it. A threat whose tests cover nothing must not be cited: when a test cites
// it, the check asks for its entry here to be removed.

export interface ThreatGap {
  readonly covered: 'nothing' | 'a part';
  /** What the product or its tests lack, as the end of a sentence. */
  readonly missing: string;
}

export const GAPS: Readonly<Record<number, ThreatGap>> = {
  21: {
    covered: 'a part',
    missing: 'the exception holds once as many equal credits as claims have come; until then people decide',
  },
  87: {
    covered: 'a part',
    missing:
      'after a failover nothing is compared at once; the guards of treasuries and rails (49, 110) compare all the time',
  },
  103: {
    covered: 'a part',
    missing:
      'bodies in chunks of one byte have no test, and of many requests in one read those behind the refused one are still parsed',
  },
  104: {
    covered: 'a part',
    missing: 'when very many sign in at once, a known device waits in the same queue and can be refused',
  },
  105: {
    covered: 'a part',
    missing:
      'an admin changes roles alone, and only invitations are mailed to the others, not a change of a role',
  },
  106: {
    covered: 'nothing',
    missing:
      'live keys, invitations and roles need only a session; a live default wallet takes a second person with a step-up',
  },
  107: {
    covered: 'nothing',
    missing: 'statement files are parsed in the process that serves requests, without a limit on time',
  },
  108: {
    covered: 'a part',
    missing: 'a process knows only of doubtful commits of its own, so another one may answer from the row',
  },
  109: {
    covered: 'nothing',
    missing:
      'the service does not notice that another primary took over: stop its processes first ([incidents.md](../operate/incidents.md#bad-days))',
  },
  110: {
    covered: 'a part',
    missing:
      'the guards find payments that the database does not know, but no list of all of them is made after a restore, and no test restores a backup and looks',
  },
  112: {
    covered: 'a part',
    missing:
      'naira that were put in are booked as two people say; only reconciliation compares them with the bank, afterwards',
  },
  114: {
    covered: 'a part',
    missing:
      'for requests and settlement the tests refuse plans that read a whole table, but do not count the rows that an index reads',
  },
};
