// When keys were last used. A hint for people: nothing is decided by it.

export interface KeyUses {
  /** Key ids and times. A time that is older than the stored one changes nothing. */
  note(uses: ReadonlyMap<string, number>): Promise<void>;
}
