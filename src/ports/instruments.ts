// What background work tells of itself: numbers that somebody watches. Series are few: labels come from closed lists.

export interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface Instruments {
  /** A gauge that is always set whole: what is no longer named is no longer told. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  /** A counter that somebody else keeps, told whole like a gauge. */
  totals<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  counter(name: string, help: string): (more: number) => void;
}
