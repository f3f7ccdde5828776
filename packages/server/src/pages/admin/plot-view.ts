import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { tableView } from "../kit/list-view.ts";
import { statisticsTexts as texts } from "../languages/texts.ts";

/** Numbers that are drawn side by side. */
export type Plotted = {
  readonly label: string;
  /** One for each time; undefined where nothing is known. */
  readonly values: readonly (number | undefined)[];
};

export type Plot = {
  readonly title: string;
  /** The times in words, in their order; short ones for the axis. */
  readonly times: readonly { readonly full: string; readonly short: string }[];
  /** At most three: each has a pattern of its own, so that no colour tells them apart. */
  readonly series: readonly Plotted[];
  readonly format: (value: number) => string;
};

const WIDTH = 720;
const HEIGHT = 180;
/** For the numbers left of the bars, and the times below them. */
const LEFT = 88;
const BELOW = 30;
const ABOVE = 12;
const GROUND = HEIGHT - BELOW;
/** Of the width of a group, so much is bars. */
const FILLED = 0.8;

/** The patterns of the bars, once in a page with plots. */
export function plotPatterns(): Html {
  return html`<svg class="patterns" width="0" height="0" aria-hidden="true">
    <pattern
      id="hatched"
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect class="bar-ground" width="6" height="6" />
      <rect class="bar-line" width="3" height="6" />
    </pattern>
  </svg>`;
}

/** Numbers over time as bars, and the same numbers as a table. */
export function plotView(plot: Plot): Html {
  const { title, series } = plot;
  const known = series.flatMap(({ values }) => values.filter(isKnown));
  if (known.length === 0) return emptyView(title);
  return html`<figure class="plot">
    <figcaption>
      ${title}
      ${series.length > 1 && series.map((one, at) => keyView(one.label, at))}
    </figcaption>
    ${chartView(plot, niceMost(Math.max(...known)))}
    <details>
      <summary>${texts.asTable}</summary>
      ${numbersView(plot)}
    </details>
  </figure>`;
}

function emptyView(title: string): Html {
  return html`<figure class="plot">
    <figcaption>${title}</figcaption>
    <p class="quiet">${texts.nothing}</p>
  </figure>`;
}

const isKnown = (value: number | undefined) => value !== undefined;

const STEPS = [1, 2, 4, 6, 8, 10];

/** An even number, or a round one, that no value exceeds. */
export function niceMost(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return STEPS.map((step) => step * power).find((it) => it >= most) ?? most;
}

function keyView(label: string, at: number): Html {
  return html`<span class="key">
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <rect
        class="bar-${at}"
        ${fillOf(at)}
        x="1"
        y="1"
        width="10"
        height="10"
      />
    </svg>
    ${label}
  </span>`;
}

function chartView(plot: Plot, most: number): Html {
  const { title, times, series, format } = plot;
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="${summaryOf(plot)}"
  >
    <title>${title}</title>
    ${[0, 0.5, 1].map((part) => lineView(part, format(most * part)))}
    ${series.map((one, at) => barsView(one, at, { plot, most }))}
    ${labelsOf(times.map(({ short }) => short))}
  </svg>`;
}

/** The plot in words, for those who do not see the bars. */
function summaryOf({ title, series, format }: Plot): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter(isKnown);
    const now = known.at(-1);
    return `${label}: ${texts.least} ${format(Math.min(...known))}, ${texts.most} ${format(Math.max(...known))}, ${texts.last} ${now === undefined ? "–" : format(now)}`;
  });
  return `${title}. ${parts.join(". ")}.`;
}

function lineView(part: number, label: string): Html {
  const y = round(GROUND - part * (GROUND - ABOVE));
  return html`<line
      class="grid"
      x1="${LEFT}"
      x2="${WIDTH}"
      y1="${y}"
      y2="${y}"
    />
    <text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${label}</text>`;
}

function barsView(
  { label, values }: Plotted,
  at: number,
  { plot, most }: { readonly plot: Plot; readonly most: number },
): Html[] {
  const group = (WIDTH - LEFT) / plot.times.length;
  const width = (group * FILLED) / plot.series.length;
  return values.flatMap((value, index) => {
    if (value === undefined || value === 0) return [];
    const height = Math.max(1, (value / most) * (GROUND - ABOVE));
    const x = LEFT + index * group + (group * (1 - FILLED)) / 2 + at * width;
    const time = plot.times[index]?.full ?? "";
    return html`<rect
      class="bar-${at}"
      ${fillOf(at)}
      x="${round(x)}"
      y="${round(GROUND - height)}"
      width="${round(Math.max(1, width - 1))}"
      height="${round(height)}"
    >
      <title>${time}, ${label}: ${plot.format(value)}</title>
    </rect>`;
  });
}

/** The last time, and some before it. */
function labelsOf(times: readonly string[]): Html[] {
  const group = (WIDTH - LEFT) / times.length;
  const last = times.length - 1;
  // On phones the letters are large beside the bars.
  const every = Math.ceil(times.length / 4);
  return times.flatMap((time, at) => {
    if ((last - at) % every !== 0) return [];
    const [x, anchor] =
      at === last ? [WIDTH, "end"] : [LEFT + (at + 0.5) * group, "middle"];
    return html`<text x="${round(x)}" y="${HEIGHT - 8}" text-anchor="${anchor}">
      ${time}
    </text>`;
  });
}

/** The newest first, without times of which nothing is known. */
function numbersView({ times, series, format }: Plot): HtmlValue {
  const rows = times.flatMap(({ full }, index) => {
    const values = series.map((one) => one.values[index]);
    if (!values.some(isKnown)) return [];
    const cells = values.map((it) => (it === undefined ? "–" : format(it)));
    return [[full, ...cells]];
  });
  return tableView(
    [texts.time, ...series.map(({ label }) => label)],
    rows.toReversed(),
  );
}

/** In the page itself: a style sheet could mean a pattern of its own. */
const fillOf = (at: number) => at === 1 && html`fill="url(#hatched)"`;

const round = (value: number) => Math.round(value * 10) / 10;
