import type { CalendarEvent } from "../../features/events/index.ts";
import type { LinkPreview } from "../../features/link-previews/index.ts";
import { escapeHtml } from "../../lib/html/html-cleaner.ts";
import type { Entity } from "../kit/wire.ts";
import type { SiteAddresses } from "./site.ts";

/** Texts are blank when unknown; only the picture is null. */
const BLANK = {
  type: "link",
  title: "",
  description: "",
  authors: [],
  author_name: "",
  author_url: "",
  provider_name: "",
  provider_url: "",
  html: "",
  width: 0,
  height: 0,
  image: null,
  image_description: "",
  embed_url: "",
  blurhash: null,
  language: null,
  published_at: null,
};

/** @param preview with a picture that is loaded from this server already */
export function presentCard(preview: LinkPreview): Entity {
  const author = preview.authorName ?? "";
  return {
    ...BLANK,
    url: preview.url,
    title: preview.title,
    description: preview.description ?? "",
    authors: author === "" ? [] : [{ name: author, url: "", account: null }],
    author_name: author,
    provider_name: preview.siteName ?? "",
    image: preview.imageUrl,
  };
}

/** A calendar event as the card of the post that announces it. */
export function presentEventCard(
  { baseUrl }: SiteAddresses,
  event: CalendarEvent,
): Entity {
  return {
    ...BLANK,
    url: `${baseUrl}/events/${event.guid}`,
    title: event.summary,
    description: [whenOf(event), event.location]
      .filter((part) => part !== "")
      .join(", "),
    provider_name: "Kith",
    provider_url: baseUrl,
  };
}

/** The event of a status, unless the text only announces it. */
export function renderEventLines(
  site: SiteAddresses,
  event: CalendarEvent,
): string {
  const lines = [whenOf(event), event.location].filter((it) => it !== "");
  const rows = lines.map((line) => `<br>${escapeHtml(line)}`).join("");
  return `<p><strong>${escapeHtml(event.summary)}</strong>${rows}</p>`;
}

/** A link to the event as a file, which calendars read. */
export const renderEventFile = (
  { baseUrl }: SiteAddresses,
  { guid }: CalendarEvent,
) =>
  `<p><a href="${baseUrl}/events/${guid}.ics" rel="nofollow noopener noreferrer">${baseUrl}/events/${guid}.ics</a></p>`;

/** In the zone of the event, by the wall clock there. */
function whenOf({ start, end, allDay, timeZone }: CalendarEvent): string {
  if (allDay)
    return end === null || end === start ? start : `${start} – ${end}`;
  const words = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    dateStyle: "medium",
    timeStyle: "short",
  });
  const from = new Date(start);
  const range =
    end === null ? words.format(from) : words.formatRange(from, new Date(end));
  return `${range} (${timeZone})`;
}
