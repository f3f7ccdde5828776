import { joinLines } from "../../lib/markdown/lines.ts";
import {
  describeTime,
  LANGUAGES,
  translate,
} from "../../lib/messages/messages.ts";
import { startInstant, type EventDetails } from "./event.ts";

/** What the post says that announces an event, in the language of its author. */
export function announcementOf(event: EventDetails, locale: string): string {
  const { allDay, end, timeZone, summary, location } = event;
  const inWords = (start: string) =>
    describeTime(
      locale,
      startInstant({ allDay, start }),
      allDay ? "day" : { timeZone },
    );
  return translate(locale, "calendars.preambel", {
    summary: summary || translate(locale, "calendars.untitled"),
    start: inWords(event.start),
    end: end === null ? "" : inWords(end),
    location: joinLines(location, ", "),
  });
}

/**
 * The announcement of an event that was changed, in the language in which it was
 * written.
 * @param text what a post says that carries the event
 * @returns undefined for a text that its author wrote
 */
export function renewAnnouncement(
  text: string,
  before: EventDetails,
  after: EventDetails,
): string | undefined {
  const language = LANGUAGES.find((one) =>
    isAlike(text, announcementOf(before, one)),
  );
  return language === undefined ? undefined : announcementOf(after, language);
}

/** The same heading and labels: how times are written in words differs between versions of ICU. */
function isAlike(text: string, announcement: string): boolean {
  const lines = text.split("\n");
  const expected = announcement.split("\n");
  return (
    lines.length === expected.length &&
    lines.every((line, at) =>
      at === 0
        ? line === expected[at]
        : labelOf(line) === labelOf(expected[at] ?? ""),
    )
  );
}

function labelOf(line: string): string {
  return line.slice(0, Math.max(0, line.indexOf(": ")));
}
