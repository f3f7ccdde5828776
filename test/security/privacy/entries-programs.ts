import { OWN_CALENDARS, silent, type Entry } from "./probes.ts";

/** The routes of calendar programs. */
export const PROGRAM_ENTRIES: Readonly<Record<string, Entry>> =
  Object.fromEntries(
    [
      ...`COPY DELETE GET MKCALENDAR MKCOL MOVE OPTIONS PROPFIND PROPPATCH PUT REPORT`
        .split(" ")
        .map((method) => `${method} /dav`),
      ...["PROPFIND /", "GET /.well-known/caldav"],
      "PROPFIND /.well-known/caldav",
    ].map((route) => [route, silent(OWN_CALENDARS)]),
  );
