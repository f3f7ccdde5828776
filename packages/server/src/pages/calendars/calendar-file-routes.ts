import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type {
  AddressedCalendar,
  Calendars,
} from "../../features/calendars/index.ts";
import {
  writeEvents,
  type WriteEventsDeps,
} from "../../features/calendar-files/index.ts";
import type { Events } from "../../features/events/index.ts";
import type { Oauth } from "../../features/oauth/index.ts";
import type { EventId } from "../../features/ids.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { FOR_EVERY_ORIGIN } from "../../http/cross-origin.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { CalendarWriter } from "../../lib/icalendar/write-calendar.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { findFileViewer } from "../session/find-file-viewer.ts";
import type { VisitorContext } from "../session/visitor.ts";
import { sendCalendarFile } from "./send-calendar-file.ts";

export type CalendarFilesContext = VisitorContext &
  WriteEventsDeps & {
    readonly calendars: Pick<Calendars, "findByGuid" | "findBySecret">;
    readonly events: Pick<Events, "findVisible" | "listOfCalendar">;
    readonly oauth: Pick<Oauth, "authenticate">;
    readonly clock: Clock;
  };

const REFRESH_AFTER = "PT1H";
const DAY_MS = 24 * 3_600_000;
/** Events that ended before are left out of a feed. */
const PAST_DAYS = 366;
/** The newest events of a calendar; earlier ones are left out. */
const MAX_EVENTS = 10_000;
const EVENTS_AT_ONCE = 500;

/** A reader at the secret address sees what the owner does, and its address stays a secret. */
const SECRET = {
  "cache-control": "private, max-age=900",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "referrer-policy": "no-referrer",
};

/** Events and calendars as files that calendar programs subscribe to. */
export function calendarFileRoutes(
  app: FastifyInstance,
  context: CalendarFilesContext,
): void {
  eventFileRoute(app, context);
  app.get<{ Params: { guid: string } }>(
    "/calendars/:guid.ics",
    { config: { access: "anyone", limit: "costly" } },
    async (request, reply) => {
      const { guid } = request.params;
      const found = isGuid(guid)
        ? await context.calendars.findByGuid(guid)
        : undefined;
      const calendar = getFound(found);
      return sendCalendarFile(request, reply, {
        ...(await writeFeed(context, calendar, null)),
        headers: {
          "cache-control": "public, max-age=900",
          ...FOR_EVERY_ORIGIN,
        },
      });
    },
  );
  app.get<{ Params: { guid: string; secret: string } }>(
    "/calendars/:guid/:secret.ics",
    { config: { access: "address", limit: "costly" } },
    async (request, reply) => {
      // On refusals, too: a mistyped secret is nearly one.
      void reply.headers(SECRET).header("cache-control", "no-store");
      const { guid, secret } = request.params;
      const found = isGuid(guid)
        ? await context.calendars.findBySecret(guid, secret)
        : undefined;
      const calendar = getFound(found);
      return sendCalendarFile(request, reply, {
        ...(await writeFeed(context, calendar, calendar.owner)),
        headers: SECRET,
      });
    },
  );
}

function eventFileRoute(
  app: FastifyInstance,
  context: CalendarFilesContext,
): void {
  app.get<{ Params: { guid: string } }>(
    "/events/:guid.ics",
    { config: { access: "viewer", limit: "read" } },
    async (request, reply) => {
      void reply.header("vary", "Cookie");
      const viewer = await findFileViewer(context, request);
      const { guid } = request.params;
      const event = isGuid(guid)
        ? await context.events.findVisible({ guid }, viewer)
        : undefined;
      if (!event) throw new KithError("not_found", "No such event.");
      const writer = new CalendarWriter();
      await writeEvents(context, writer, [event], viewer !== null);
      return sendCalendarFile(request, reply, {
        name: event.summary,
        text: writer.toString(),
        modifiedAt: event.updatedAt,
        headers:
          viewer === null
            ? { "cache-control": "public, max-age=300", ...FOR_EVERY_ORIGIN }
            : { "cache-control": "private, no-cache" },
      });
    },
  );
}

function getFound(found: AddressedCalendar | undefined): AddressedCalendar {
  if (!found) throw new KithError("not_found", "No such calendar.");
  return found;
}

/** The events of a calendar that this viewer may see. */
async function writeFeed(
  context: CalendarFilesContext,
  calendar: AddressedCalendar,
  viewer: Viewer,
) {
  const { events, clock } = context;
  const { id, name, color } = calendar;
  const hints = { name, color, refreshAfter: REFRESH_AFTER };
  const writer = new CalendarWriter(hints);
  const since = timestamp(later(clock.now(), -PAST_DAYS * DAY_MS));
  let modifiedAt = calendar.updatedAt;
  let before: EventId | undefined;
  for (let written = 0; written < MAX_EVENTS; written += EVENTS_AT_ONCE) {
    const part = { since, before, limit: EVENTS_AT_ONCE };
    const some = await events.listOfCalendar(id, viewer, part);
    await writeEvents(context, writer, some, viewer !== null);
    for (const { updatedAt } of some)
      if (updatedAt > modifiedAt) modifiedAt = updatedAt;
    before = some.at(-1)?.id;
    if (some.length < EVENTS_AT_ONCE) break;
    // Other requests are answered between the parts of a large calendar.
    await setImmediate();
  }
  return { name, text: writer.toString(), modifiedAt };
}
