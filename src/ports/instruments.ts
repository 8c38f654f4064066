// The metrics of background work. There are few series, because labels come from closed lists.

export interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface Instruments {
  /** A gauge with all its series set at once: a series that is no longer set disappears. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  /** A counter that is stored elsewhere; all its series are set at once, as for a gauge. */
  totals<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  counter(name: string, help: string): (more: number) => void;
}
