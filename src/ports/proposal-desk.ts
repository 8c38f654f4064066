// What proposals have in common, whatever they are about.

export interface ProposalDesk {
  /** Undefined: there is no such proposal. */
  kindOf(id: string): Promise<'review' | 'setting' | undefined>;
  /** False: it was decided or withdrawn before, or another person proposed it. */
  withdraw(id: string, author: string, reason: string, atMs: number): Promise<boolean>;
  /** The names of people, by id; people that the database does not know are left out. */
  namesOf(personIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
