import type { CalendarEvent } from "../../features/events/index.ts";
import { displayName, type Person } from "../../features/people/index.ts";
import type { Card } from "../../lib/images/cards/card.ts";
import { eventPath } from "../events/event-parts.ts";
import { dateParts, inWords } from "../events/event-time.ts";
import { cardImage, cardOf } from "../media/link-card.ts";
import { webAddress } from "../kit/html.ts";
import type { PageHead } from "../kit/layout.ts";
import { personPath } from "../kit/person-view.ts";
import { eventTexts as texts } from "../languages/texts.ts";
import { excerpt } from "../posts/post-text.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { ShownEvent } from "./event-view.ts";

const STATUS = {
  cancelled: "https://schema.org/EventCancelled",
  confirmed: "https://schema.org/EventScheduled",
  postponed: "https://schema.org/EventPostponed",
  tentative: "https://schema.org/EventScheduled",
} as const;

/** An event for some people only has no metadata for crawlers. */
export function eventHead(
  { baseUrl }: Pick<PagesContext, "baseUrl">,
  shown: ShownEvent,
): PageHead {
  const { event, organizer } = shown;
  const title = event.summary || texts.untitled;
  if (event.audience !== "everyone") return { title, noindex: true };
  const { timeZone, allDay, location, description } = event;
  const when = inWords(event, allDay ? "UTC" : timeZone);
  const about = [when, location, excerpt(description, 150)];
  const isHere = organizer?.userId != null;
  const page = baseUrl + eventPath(event.guid);
  const card = eventCard(event, organizer);
  return {
    title,
    canonical: page,
    noindex: !isHere || !organizer.profile.searchable,
    calendarUrl: `${page}.ics`,
    linkedData: linkedDataOf(baseUrl, shown, title),
    preview: {
      type: "article",
      title,
      description: about.filter((it) => it !== "").join(" · "),
      image: card && cardImage(page, card),
    },
  };
}

/** The card of a public event from here; other events have none. */
export function eventCard(
  event: CalendarEvent,
  organizer: Person | undefined,
): Card | undefined {
  if (organizer?.userId == null || event.audience !== "everyone")
    return undefined;
  const { allDay, timeZone, location, description, summary } = event;
  const when = inWords(event, allDay ? "UTC" : timeZone);
  const about = [when, location, excerpt(description, 200)];
  const { month, day } = dateParts(event, false);
  return cardOf({
    ...{ title: summary || texts.untitled, otherwise: texts.untitled },
    byline: displayName(organizer),
    text: about.filter((it) => it !== "").join("\n"),
    ...{ date: allDay ? "" : timeZone, leaf: { month, day } },
  });
}

function linkedDataOf(
  baseUrl: string,
  { event, organizer }: ShownEvent,
  name: string,
): Readonly<Record<string, unknown>> {
  const { guid, status, start, end, location } = event;
  const description = excerpt(event.description, 500);
  return {
    "@context": "https://schema.org",
    "@type": "Event",
    url: baseUrl + eventPath(guid),
    name,
    ...(description !== "" && { description }),
    startDate: timeOf(event, start),
    ...(end !== null && { endDate: timeOf(event, end) }),
    eventStatus: STATUS[status],
    ...(location !== "" && placeOf(location)),
    ...(organizer && {
      organizer: {
        "@type": "Person",
        name: displayName(organizer),
        url: baseUrl + personPath(organizer),
      },
    }),
  };
}

/** Without a location nobody knows whether it takes place online. */
function placeOf(location: string): Readonly<Record<string, unknown>> {
  const url = /\s/.test(location) ? undefined : webAddress(location);
  return url === undefined
    ? {
        eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
        location: { "@type": "Place", name: location, address: location },
      }
    : {
        eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
        location: { "@type": "VirtualLocation", url },
      };
}

/** With the offset of the event's zone, as search engines show it. */
function timeOf({ allDay, timeZone }: CalendarEvent, time: string): string {
  if (allDay) return time;
  const zoned = Temporal.Instant.from(time).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: "never", smallestUnit: "second" });
}
