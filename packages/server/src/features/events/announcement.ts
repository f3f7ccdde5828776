import { joinLines } from "../../lib/lines.ts";
import {
  describeTime,
  LANGUAGES,
  supportedLanguage,
  translate,
} from "../../lib/messages/messages.ts";
import { ruleInWords } from "../../lib/messages/rule-in-words.ts";
import {
  startInstant,
  type CalendarEvent,
  type EventDetails,
} from "./event.ts";

type Announced = EventDetails & Pick<CalendarEvent, "recurrence">;

/** The text of the post that announces an event, in its author's language. */
export function announcementOf(event: Announced, locale: string): string {
  const { allDay, end, timeZone, summary, location, recurrence } = event;
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
    repeats: recurrence
      ? ruleInWords(supportedLanguage(locale), recurrence.rule, event)
      : "",
  });
}

/**
 * Rewrites the announcement of a changed event, in the language it was written in.
 * @param text the text of a post that has the event attached
 * @returns undefined for a text that the author wrote
 */
export function renewAnnouncement(
  text: string,
  before: Announced,
  after: Announced,
): string | undefined {
  const language = LANGUAGES.find((one) =>
    isAlike(text, announcementOf(before, one)),
  );
  return language === undefined ? undefined : announcementOf(after, language);
}

/** Is it the text that this server wrote to announce the event? */
export function isAnnouncementOf(text: string, event: Announced): boolean {
  return renewAnnouncement(text, event, event) !== undefined;
}

/** Compares the heading and the labels only: ICU versions format times differently. */
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
