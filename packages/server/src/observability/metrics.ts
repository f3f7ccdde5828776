/**
 * Metrics in the text format of Prometheus. Never give a label unbounded values
 * (handles, paths, hosts): each is kept until the process ends, and discloses
 * who uses this server.
 * @see Prometheus, Exposition formats, "Text-based format" (version 0.0.4)
 */
export type Metrics = {
  /** Increments only. Names end in `_total`. */
  counter(name: string, help: string): Counter;
  /** @param buckets upper bounds, rising, in the unit of the name */
  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
  ): { observe(labels: Labels, value: number): void };
  /** Calls `collect` for each scrape. If it throws, its gauges are left out. */
  gauges(collect: () => readonly Gauge[] | Promise<readonly Gauge[]>): void;
  /** All metrics, as text. */
  render(): Promise<string>;
};

export type Labels = Readonly<Record<string, string>>;

export type Counter = { add(labels: Labels, by?: number): void };

/** A value at the moment of the scrape. */
export type Gauge = {
  readonly name: string;
  readonly help: string;
  /**
   * `counter` if it only rises until the process ends; its name ends in
   * `_total`.
   */
  readonly type?: "gauge" | "counter";
  readonly values: readonly {
    readonly labels: Labels;
    readonly value: number;
  }[];
};

export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Label combinations of one metric. More of them are a bug, which must not fill
 * the memory.
 */
const MAX_SERIES = 1_000;
const OTHER = "other";

type Series<T> = { readonly labels: Labels; readonly state: T };
type Writer = () => readonly string[] | Promise<readonly string[]>;

export function createMetrics(): Metrics {
  const writers: Writer[] = [];
  return {
    counter: (name, help) => {
      const series = createSeries(() => ({ value: 0 }));
      writers.push(() => [
        ...heading(name, help, "counter"),
        ...series
          .all()
          .map(({ labels, state }) => line(name, labels, state.value)),
      ]);
      return {
        add: (labels, by = 1) => {
          series.of(labels).value += by;
        },
      };
    },
    histogram: (name, help, buckets) => {
      const series = createSeries(() => ({
        sum: 0,
        counts: new Array<number>(buckets.length + 1).fill(0),
      }));
      writers.push(() => [
        ...heading(name, help, "histogram"),
        ...series.all().flatMap((one) => histogramLines(name, buckets, one)),
      ]);
      return {
        observe: (labels, value) => {
          const state = series.of(labels);
          const found = buckets.findIndex((bound) => value <= bound);
          const index = found < 0 ? buckets.length : found;
          state.counts[index] = (state.counts[index] ?? 0) + 1;
          state.sum += value;
        },
      };
    },
    gauges: (collect) => {
      writers.push(async () =>
        (await collectOrNothing(collect)).flatMap(gaugeLines),
      );
    },
    render: async () => {
      const blocks = [];
      for (const write of writers) blocks.push(...(await write()));
      return `${blocks.join("\n")}\n`;
    },
  };
}

async function collectOrNothing(
  collect: () => readonly Gauge[] | Promise<readonly Gauge[]>,
): Promise<readonly Gauge[]> {
  try {
    return await collect();
  } catch {
    // A gauge that fails (the database is down) must not hide the rest.
    return [];
  }
}

/** The series of one metric, by the values of its labels. */
function createSeries<T>(create: () => T) {
  const known = new Map<string, Series<T>>();
  return {
    of: (labels: Labels): T => {
      const values = Object.values(labels);
      const found = known.get(values.join("\0"));
      if (found) return found.state;
      const isFull = known.size >= MAX_SERIES;
      const kept = isFull ? mapValues(labels, () => OTHER) : labels;
      const key = Object.values(kept).join("\0");
      const series = known.get(key) ?? { labels: kept, state: create() };
      known.set(key, series);
      return series.state;
    },
    all: () => [...known.values()],
  };
}

function mapValues(labels: Labels, change: (value: string) => string): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, change(value)]),
  );
}

function heading(name: string, help: string, type: string): string[] {
  const text = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return [`# HELP ${name} ${text}`, `# TYPE ${name} ${type}`];
}

function gaugeLines({ name, help, type = "gauge", values }: Gauge): string[] {
  return [
    ...heading(name, help, type),
    ...values.map(({ labels, value }) => line(name, labels, value)),
  ];
}

function histogramLines(
  name: string,
  buckets: readonly number[],
  { labels, state }: Series<{ sum: number; counts: number[] }>,
): string[] {
  let sofar = 0;
  const lines = [...buckets, Infinity].map((bound, index) => {
    sofar += state.counts[index] ?? 0;
    const le = bound === Infinity ? "+Inf" : String(bound);
    return line(`${name}_bucket`, { ...labels, le }, sofar);
  });
  return [
    ...lines,
    line(`${name}_sum`, labels, state.sum),
    line(`${name}_count`, labels, sofar),
  ];
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(
    ([label, text]) => `${label}="${escaped(text)}"`,
  );
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n");
}
