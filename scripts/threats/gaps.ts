// Lists the parts of a threat that no test covers yet, and docs/concepts/threats.md prints them. If no test covers a threat at
// all, a test must not cite it. When a test does cite it, the check asks to remove the entry of the threat here.

export interface ThreatGap {
  readonly covered: 'nothing' | 'a part';
  /** What the product or its tests lack, as the second half of a sentence. */
  readonly missing: string;
}

export const GAPS: Readonly<Record<number, ThreatGap>> = {
  21: {
    covered: 'a part',
    missing: 'people must decide until there are as many equal credits as claims',
  },
  87: {
    covered: 'a part',
    missing:
      'after a failover nothing more compares the books with chain and bank than the guards of treasuries and rails (49, 110)',
  },
  103: {
    covered: 'a part',
    missing: 'one-byte chunks have no test; in one read, requests behind a refused one are still parsed',
  },
  104: {
    covered: 'a part',
    missing: 'in a flood a known device waits in the same queue and can be refused',
  },
  105: {
    covered: 'a part',
    missing: 'an admin can change roles alone, and only invitations cause a mail',
  },
  106: {
    covered: 'nothing',
    missing:
      'live keys, invitations and roles need only a session; a live default wallet needs a second person with a step-up',
  },
  108: {
    covered: 'a part',
    missing: 'a process knows only its own doubtful commits, so another process may answer from the row',
  },
  109: {
    covered: 'nothing',
    missing:
      'the service does not notice a new primary: stop its processes first ([incidents.md](../operate/incidents.md#bad-days))',
  },
  110: {
    covered: 'a part',
    missing:
      'the guards find unknown payments, but nothing lists all of them after a restore, and no test restores a backup and checks this',
  },
  112: {
    covered: 'a part',
    missing:
      'deposits of naira are booked as two people state them; only reconciliation compares them with the bank later',
  },
  114: {
    covered: 'a part',
    missing:
      'for requests and settlement, tests refuse whole-table plans but do not count rows read by an index',
  },
};
