// The metrics of background work. Series are few: labels come from closed lists.

export interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface Instruments {
  /** A gauge that is always set whole: a series that is no longer named disappears. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  /** A counter that is kept elsewhere, and set whole like a gauge. */
  totals<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  counter(name: string, help: string): (more: number) => void;
}
