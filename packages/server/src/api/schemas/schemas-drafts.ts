import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { IMPORT_STATES, LIST_KINDS } from "../../features/imports/index.ts";
import { AUDIENCE_WORDS } from "./audience-words.ts";
import {
  boolean,
  count,
  dated,
  exactly,
  id,
  name,
  orNull,
  ref,
  time,
} from "./schema-parts.ts";

/** Files that are imported, with the counts of their records. */
export const IMPORT_RECORDS: Readonly<Record<string, TSchema>> = {
  Import: exactly({
    ID: id,
    UserID: id,
    CreatedAt: time,
    FileName: name,
    /** The kind of a list; null for an archive. */
    Kind: orNull(Type.String({ enum: [...LIST_KINDS] })),
    Bytes: count,
    State: Type.String({
      enum: [...IMPORT_STATES],
      description:
        "rehearsed: it waits to be started. failed: the file cannot be read. interrupted: its job ended before its end, and it can be started again. expired: nobody used it for a week",
    }),
    /** Records that are done, of Total. */
    Done: count,
    Total: count,
    /** The outcome that is expected; null before that is known. */
    Rehearsal: orNull(Type.Array(ref("ImportCount"))),
    /** The outcome so far; null before it was started. */
    Report: orNull(Type.Array(ref("ImportCount"))),
    /** The account of the archive moves here at the end. */
    Moves: Type.Boolean(),
    Failure: orNull(
      Type.String({
        description:
          "Why the file cannot be read, or the import was interrupted",
      }),
    ),
    EndedAt: orNull(time),
  }),
  /** The records of one kind. */
  ImportCount: exactly({
    Kind: name,
    Added: count,
    /** They were here before. */
    Known: count,
    LeftOut: Type.Array(
      exactly({
        Reason: name,
        Count: count,
        /** The first of them, by their names in the file. */
        Examples: Type.Array(name, { maxItems: 3 }),
      }),
    ),
  }),
};

/** The records of posts that are not published yet. */
export const DRAFT_RECORDS: Readonly<Record<string, TSchema>> = {
  Draft: exactly({
    ...dated,
    Text: name,
    Audience: Type.String({
      enum: [...AUDIENCE_WORDS],
      description:
        "As chosen, or the default when the draft was saved. people without PersonIDs: those whom the text mentions",
    }),
    AspectIDs: Type.Array(id),
    PersonIDs: Type.Array(id),
    PhotoIDs: Type.Array(id),
    EventID: orNull(id),
    QuoteID: orNull(id),
    Nsfw: boolean,
    ContentWarning: orNull(name),
    Language: orNull(name),
    QuotableBy: Type.Optional(
      Type.String({ enum: ["everyone", "followers", "nobody"] }),
    ),
    Location: orNull(exactly({ Address: name, Lat: name, Lng: name })),
    Poll: orNull(
      exactly({
        Question: name,
        Answers: Type.Array(name),
        Multiple: boolean,
        EndsAt: orNull(name),
      }),
    ),
    PublishAt: orNull(time),
    FailedReason: orNull(
      Type.String({ description: "Why it was not published at its time" }),
    ),
  }),
};
