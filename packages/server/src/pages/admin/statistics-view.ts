import type {
  HostDeliveries,
  Numbers,
  StatisticName,
  Span,
  Statistics,
} from "../../features/statistics/index.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { tableView } from "../kit/list-view.ts";
import { currentLanguage, currentTimeZone } from "../languages/reader.ts";
import { statisticsTexts as texts } from "../languages/texts.ts";
import { plotPatterns, plotView, type Plot } from "./plot-view.ts";

/** So many spans are drawn: two days, a month, two years. */
const SHOWN = { hour: 48, day: 31, month: 24 } as const;
const MAX_HOSTS = 20;

/** The spans by their word in the address. */
const BY_WORD = { hours: "hour", days: "day", months: "month" } as const;
const WORDS = Object.keys(BY_WORD) as (keyof typeof BY_WORD)[];

/** @returns hours for any other word */
export function readSpan(word: string | undefined): Span {
  return BY_WORD[WORDS.find((it) => it === word) ?? "hours"];
}

/** How the server does, drawn. */
export async function statisticsView(
  statistics: Pick<Statistics, "list" | "listFailing">,
  span: Span,
): Promise<Html> {
  const numbers = await statistics.list(span, SHOWN[span]);
  const failing = await statistics.listFailing(MAX_HOSTS);
  return html`<section aria-labelledby="numbers">
    <h2 id="numbers">${texts.title}</h2>
    ${spansView(span)} ${plotPatterns()}
    ${plotsOf(span).map((plot) => plotView(drawn(plot, span, numbers)))}
    <h3>${texts.failing}</h3>
    ${failingView(failing)}
    <p class="quiet">${texts.zones}</p>
  </section>`;
}

function spansView(span: Span): Html {
  return tabLinks(
    texts.spans,
    WORDS.map((word) => ({
      path: `/admin?span=${word}#numbers`,
      label: texts.of[word],
      isChosen: BY_WORD[word] === span,
    })),
  );
}

type PlotOf = {
  readonly title: string;
  readonly series: readonly StatisticName[];
  readonly isBytes?: boolean;
};

function plotsOf(span: Span): PlotOf[] {
  const { plots } = texts;
  return [
    // A visit is noted once a day.
    ...(span === "hour"
      ? []
      : [{ title: plots.people, series: ["people"] as const }]),
    { title: plots.written, series: ["posts", "comments"] },
    { title: plots.messages, series: ["messages", "refused_messages"] },
    { title: plots.deliveries, series: ["delivered", "failed"] },
    { title: plots.queue, series: ["waiting_jobs"] },
    {
      title: plots.storage,
      series: ["database_bytes", "upload_bytes", "remote_media_bytes"],
      isBytes: true,
    },
    { title: plots.moderation, series: ["reports", "decisions"] },
  ];
}

function drawn(
  { title, series, isBytes = false }: PlotOf,
  span: Span,
  { starts, valuesOf }: Numbers,
): Plot {
  return {
    title,
    times: timesOf(span, starts),
    series: series.map((name) => ({
      label: texts.series[name],
      values: valuesOf(name),
    })),
    format: isBytes ? bytesInWords : numberInWords,
  };
}

/** Hours in the zone of the reader; days and months are those of UTC. */
function timesOf(span: Span, starts: readonly Date[]): Plot["times"] {
  const zone = span === "hour" ? currentTimeZone() : "UTC";
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(currentLanguage(), { ...options, timeZone: zone });
  const day = { day: "numeric", month: "short" } as const;
  const hour = { hour: "numeric", minute: "2-digit" } as const;
  const short = {
    hour,
    day,
    month: { month: "short", year: "2-digit" },
  } as const;
  const full = {
    hour: { ...day, ...hour },
    day: { ...day, year: "numeric" },
    month: { month: "long", year: "numeric" },
  } as const;
  const [shortly, fully] = [formatOf(short[span]), formatOf(full[span])];
  return starts.map((start) => ({
    short: shortly.format(start),
    full: fully.format(start),
  }));
}

function numberInWords(value: number): string {
  return new Intl.NumberFormat(currentLanguage(), {
    maximumFractionDigits: 1,
    ...(value >= 10_000 && { notation: "compact" }),
  }).format(value);
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

function bytesInWords(value: number): string {
  const power = value < 1 ? 0 : Math.floor(Math.log10(value) / 3);
  const at = Math.min(power, UNITS.length - 1);
  return new Intl.NumberFormat(currentLanguage(), {
    ...{ style: "unit", unit: UNITS[at] ?? "byte", maximumFractionDigits: 1 },
  }).format(value / 1000 ** at);
}

function failingView(failing: readonly HostDeliveries[]): HtmlValue {
  if (failing.length === 0) return html`<p>${texts.noneFailing}</p>`;
  return tableView(
    [texts.host, texts.series.failed, texts.series.delivered],
    failing.map(({ host, failed, delivered }) => [
      host,
      numberInWords(failed),
      numberInWords(delivered),
    ]),
  );
}
