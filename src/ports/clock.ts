// Provides time and random bytes, so that the same code runs on a simulated clock.

export interface Clock {
  /** Milliseconds since the epoch, by the database's clock. */
  now(): number;
}

export interface Entropy {
  bytes(count: number): Uint8Array;
}
