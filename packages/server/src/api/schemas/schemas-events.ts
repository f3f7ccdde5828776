import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import {
  boolean,
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
  Location: name,
  Description: name,
  Summary: name,
};

const EVENT_STATUS = Type.Optional(
  Type.String({ enum: ["cancelled", "postponed", "tentative"] }),
);

/** The records of events and of answers to them. */
export const EVENT_RECORDS: Readonly<Record<string, TSchema>> = {
  Event: exactly({
    ...dated,
    PersonID: id,
    Guid: guid,
    ...EVENT_DETAILS,
    CalendarID: Type.Integer({ minimum: 0 }),
    Public: boolean,
    Timezone: name,
    Status: EVENT_STATUS,
    Categories: Type.Optional(Type.Array(name)),
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
  Participation: exactly({
    ID: id,
    PersonID: id,
    CalendarEventID: id,
    Status: Type.String({ enum: ["accepted", "declined", "tentative"] }),
    Person: orNull(ref("Person")),
  }),
};
