// The metrics of background work. There are few series, because labels come from fixed lists.

export interface Series<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface Instruments {
  /** A gauge whose series are all set at once: a series that is not set again disappears. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  /** A counter whose value is stored elsewhere; all its series are set at once, as for a gauge. */
  totals<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
  ): (series: readonly Series<Label>[]) => void;
  counter(name: string, help: string): (more: number) => void;
}
