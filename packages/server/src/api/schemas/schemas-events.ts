import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import {
  color,
  boolean,
  count,
  dated,
  exactly,
  guid,
  id,
  name,
  orNull,
  ref,
  time,
} from "./schema-parts.ts";

const EVENT_DETAILS = {
  /** A date without a time for an all-day event. */
  Start: name,
  End: Type.Optional(name),
  AllDay: boolean,
  LastDay: Type.Optional(
    Type.String({
      description: "The last day of an all-day event of several days",
    }),
  ),
  Location: name,
  Description: name,
  Summary: name,
};

const EVENT_STATUS = Type.Optional(
  Type.String({ enum: ["cancelled", "postponed", "tentative"] }),
);

/** The records of events and of answers to them. */
export const EVENT_RECORDS: Readonly<Record<string, TSchema>> = {
  /** When somebody is reminded of an event. */
  Reminders: exactly({
    /** Before it begins, or before its day; none for no reminder. */
    Minutes: Type.Array(Type.Integer()),
    /** Chosen for this event; else by its alarms or the settings. */
    Chosen: boolean,
    /** Is it one's own event, is one coming, or did one choose a reminder? */
    Reminded: boolean,
  }),
  Event: exactly({
    ...dated,
    PersonID: id,
    Guid: guid,
    ...EVENT_DETAILS,
    CalendarID: Type.Integer({ minimum: 0 }),
    Public: boolean,
    Timezone: name,
    Status: EVENT_STATUS,
    /** How many people can come; absent for as many as want to. */
    Capacity: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Does the organizer confirm each guest? Absent if not. */
    Approval: Type.Optional(boolean),
    Categories: Type.Optional(Type.Array(name)),
    Recurrence: Type.Optional(
      exactly({
        Rule: Type.String({
          description: "An RRULE (RFC 5545); empty where dates alone are added",
        }),
        Added: Type.Optional(
          Type.Array(name, { description: "Times besides those of the rule" }),
        ),
        Removed: Type.Optional(
          Type.Array(name, {
            description: "Times of the rule at which it does not take place",
          }),
        ),
        Occurrences: Type.Optional(
          Type.Array(
            exactly({ At: name, ...EVENT_DETAILS, Status: EVENT_STATUS }),
            {
              maxItems: 100,
              description: "In a list: those between from and to",
            },
          ),
        ),
      }),
    ),
    Uid: name,
    Person: orNull(ref("Person")),
    Participations: Type.Array(ref("Participation"), { maxItems: 100 }),
  }),
  /** An event before a change. */
  EventVersion: exactly({
    ID: id,
    ...EVENT_DETAILS,
    Timezone: name,
    Status: EVENT_STATUS,
    WrittenAt: time,
  }),
  /** Where other programs read a calendar. */
  CalendarAddresses: exactly({
    PublicURL: Type.String({
      description: "Shows its public events to everyone who knows the address",
    }),
    SecretURL: Type.Optional(
      Type.String({
        description:
          "Shows what its owner sees to everyone who knows the address",
      }),
    ),
    SecretSince: Type.Optional(time),
  }),
  /** The people with whom a calendar is shared: one, or those of an aspect. */
  CalendarShare: exactly({
    ID: id,
    CreatedAt: time,
    CalendarID: id,
    Write: boolean,
    AspectID: Type.Optional(id),
    AspectName: Type.Optional(name),
    PersonID: Type.Optional(id),
    Person: Type.Optional(orNull(ref("Person"))),
  }),
  /** A calendar that another person of the server shares. */
  SharedCalendar: exactly({
    ...dated,
    Name: name,
    Color: color,
    Write: boolean,
    PersonID: id,
    Person: orNull(ref("Person")),
  }),
  /** A calendar of another server that one reads here. */
  SubscribedCalendar: exactly({
    ...dated,
    Name: name,
    Color: color,
    Url: name,
    /** When it was last read, or found unchanged. */
    ReadAt: orNull(time),
    /** When it is read next. */
    DueAt: time,
    /** Why it could not be read the last time. */
    Fault: Type.Optional(
      Type.String({
        enum: [
          ...["blocked", "forbidden", "gone", "no_calendar"],
          ...["too_large", "unreachable"],
        ],
      }),
    ),
  }),
  /** A time at which an event of a subscribed calendar takes place. */
  SubscribedEvent: exactly({
    SubscribedCalendarID: id,
    Uid: name,
    ...EVENT_DETAILS,
    Timezone: name,
    Status: EVENT_STATUS,
  }),
  /** The outcome of the import of a file. */
  CalendarImport: exactly({
    Created: count,
    Updated: count,
    Unchanged: count,
    Ignored: count,
    Refused: Type.Array(exactly({ Uid: name, Summary: name, Reason: name }), {
      maxItems: 100,
    }),
  }),
  Participation: exactly({
    ID: id,
    PersonID: id,
    CalendarEventID: id,
    Status: Type.String({ enum: ["accepted", "declined", "tentative"] }),
    /** Of the organizer who confirms guests; one who is pending does not come yet. */
    Reply: Type.Optional(
      Type.String({ enum: ["confirmed", "pending", "refused"] }),
    ),
    Person: orNull(ref("Person")),
  }),
};
