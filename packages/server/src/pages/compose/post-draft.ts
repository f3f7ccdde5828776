import type { Audience } from "../../features/audiences/index.ts";
import type { AspectId, DraftId, PhotoId } from "../../features/ids.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import type { Post } from "../../features/posts/index.ts";
import { KithError } from "../../lib/errors.ts";
import {
  leaveOutRemoved,
  MAX_PICTURES,
  NO_PICTURES,
  PICTURE_FIELDS,
  type DraftPictures,
} from "../kit/components/picture-fields.ts";
import { readIds } from "../kit/page-input.ts";
import { Type } from "../../lib/json-schema.ts";

export const AUDIENCES = [
  "everyone",
  "unlisted",
  "followers",
  "all_aspects",
  "aspects",
  "mentioned",
  "self",
] as const;

type AudienceChoice = (typeof AUDIENCES)[number];

/** The input of the post form: empty, or refused with a fault. */
export type PostDraft = DraftPictures & {
  readonly text: string;
  /** Empty if none is chosen. */
  readonly audience: AudienceChoice | "";
  readonly aspectIds: readonly AspectId[];
  readonly warning: string;
  readonly question: string;
  /** A line for each answer. */
  readonly answers: string;
  readonly multiple: boolean;
  /** A description for each picture that is uploaded already, in their order. */
  readonly described: readonly string[];
  /** A BCP 47 tag; empty if the author does not say. */
  readonly language: string;
  /** The people who may quote it; empty for the usual. */
  readonly quotableBy: Post["quotableBy"] | "";
  /** A local time of the author, such as 2027-01-31T18:30; empty for now. */
  readonly publishAt: string;
  /** Where it is written, as typed: a name, and decimal degrees. */
  readonly place: Readonly<Record<"address" | "lat" | "lng", string>>;
  /** The saved draft that the form continues. */
  readonly draftId: DraftId | undefined;
  readonly fault?: string;
  /** The field that the fault is about, if it is about one. */
  readonly faulty?: PostField;
};

/** The fields that can be faulty, by their names in the form. */
export type PostField =
  | "text"
  | "audience"
  | "photo"
  | "warning"
  | "question"
  | "answers"
  | "place"
  | "lat"
  | "publish_at";

/** The words beside a field. */
export function faultAt(
  { fault, faulty }: PostDraft,
  field: PostField,
): string | undefined {
  return faulty === field ? fault : undefined;
}

const several = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description }));

/** The fields of the form, but for the files. */
export const POST_FIELDS = Type.Object({
  text: text("The post, in Markdown"),
  audience: text("Who sees it"),
  aspect: several("The ids of the chosen aspects"),
  warning: text("What it warns of before it is read"),
  ...PICTURE_FIELDS,
  question: text("The question of a poll"),
  answers: text("Its answers, a line for each"),
  multiple: flag("May several answers be chosen?"),
  described: several("The description of each uploaded picture"),
  language: text("The language of the text, as a tag of BCP 47"),
  quotable_by: text("Who may quote the post"),
  place: text("The name of the place where it is written"),
  lat: text("The latitude of the place, in decimal degrees"),
  lng: text("Its longitude"),
  publish_at: text("When it is published by itself, in the author's zone"),
  draft: text("The id of the saved draft that the form continues"),
  tab: text("The query of the tab of the home where it is written"),
});

/** A form without a place. */
export const NO_PLACE: PostDraft["place"] = { address: "", lat: "", lng: "" };

/** An empty form with the author's usual audience and language. */
export function emptyDraft(
  usual: Audience,
  language: string | null,
): PostDraft {
  const { kind } = usual;
  return {
    ...{ text: "", warning: "", ...NO_PICTURES },
    ...{ question: "", answers: "", multiple: false, described: [] },
    ...{
      language: language ?? "",
      quotableBy: "" as const,
      publishAt: "",
      place: NO_PLACE,
      draftId: undefined,
    },
    audience: AUDIENCES.find((it) => it === kind) ?? "",
    aspectIds: kind === "aspects" ? usual.aspectIds : [],
  };
}

/** @throws {KithError} `not_found` for a choice that there is not */
function readQuotable(word = ""): PostDraft["quotableBy"] {
  const known = (["", ...QUOTABLE] as const).find((it) => it === word);
  if (known === undefined) throw new KithError("not_found", "No such choice.");
  return known;
}

/** The people who may quote a post, in the order of the form. */
export const QUOTABLE = [
  "everyone",
  "followers",
  "nobody",
] as const satisfies readonly Post["quotableBy"][];

/** The form as typed, before any check. */
export function readDraft(parameters: Parameters): PostDraft {
  const input = readInput(POST_FIELDS, parameters);
  const { audience = "" } = input;
  const draft: PostDraft = {
    text: input.text ?? "",
    audience: AUDIENCES.find((it) => it === audience) ?? "",
    aspectIds: readIds(input.aspect) as AspectId[],
    warning: input.warning ?? "",
    photoIds: (readIds(input.photo_id) as PhotoId[]).slice(0, MAX_PICTURES),
    photoTexts: input.photo_text ?? "",
    question: input.question ?? "",
    answers: input.answers ?? "",
    multiple: input.multiple ?? false,
    described: (input.described ?? []).slice(0, MAX_PICTURES),
    language: input.language ?? "",
    quotableBy: readQuotable(input.quotable_by),
    publishAt: input.publish_at ?? "",
    place: {
      address: input.place ?? "",
      lat: (input.lat ?? "").replace(",", "."),
      lng: (input.lng ?? "").replace(",", "."),
    },
    draftId: (readIds([input.draft ?? ""]) as DraftId[])[0],
  };
  return leaveOutRemoved(draft, input);
}

/**
 * Without an audience nothing is published.
 * @throws {KithError} `not_found`
 */
export function audienceOf({
  audience,
  aspectIds,
}: PostDraft): Exclude<Audience, { kind: "people" }> {
  const isNobody = audience === "aspects" && aspectIds.length === 0;
  if (audience === "" || isNobody)
    throw new KithError("not_found", "No such audience.");
  return audience === "aspects"
    ? { kind: audience, aspectIds }
    : { kind: audience };
}
