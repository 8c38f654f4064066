// Provides the time and random bytes, so that the same code also runs on a simulated clock.

export interface Clock {
  /** The milliseconds since the epoch, by the clock of the database. */
  now(): number;
}

export interface Entropy {
  bytes(count: number): Uint8Array;
}
