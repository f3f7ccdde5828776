import type { TSchema } from "typebox";
import { Type } from "../../lib/json-schema.ts";
import { AUDIENCE_WORDS } from "./audience-words.ts";
import {
  boolean,
  dated,
  exactly,
  id,
  name,
  orNull,
  time,
} from "./schema-parts.ts";

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
