import type { Audience } from "../../features/audiences/index.ts";
import type { AspectId, PhotoId } from "../../features/ids.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
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

/** Pictures of one post. */
export const MAX_PICTURES = 8;

/** The input of the post form: empty, or refused with a fault. */
export type PostDraft = {
  readonly text: string;
  /** Empty if none is chosen. */
  readonly audience: AudienceChoice | "";
  readonly aspectIds: readonly AspectId[];
  readonly warning: string;
  /** Pictures that are uploaded already. */
  readonly photoIds: readonly PhotoId[];
  /** A line for each picture. */
  readonly photoTexts: string;
  readonly question: string;
  /** A line for each answer. */
  readonly answers: string;
  readonly multiple: boolean;
  readonly fault?: string;
};

const several = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description }));

/** The fields of the form, but for the files. */
export const POST_FIELDS = Type.Object({
  text: text("The post, in Markdown"),
  audience: text("Who sees it"),
  aspect: several("The ids of the chosen aspects"),
  warning: text("What it warns of before it is read"),
  photo_id: several("The ids of pictures that are uploaded already"),
  photo_text: text("The descriptions of the pictures, a line for each"),
  question: text("The question of a poll"),
  answers: text("Its answers, a line for each"),
  multiple: flag("May several answers be chosen?"),
});

/** An empty form with the author's usual audience. */
export function emptyDraft(usual: Audience): PostDraft {
  const { kind } = usual;
  return {
    ...{ text: "", warning: "", photoIds: [], photoTexts: "" },
    ...{ question: "", answers: "", multiple: false },
    audience: AUDIENCES.find((it) => it === kind) ?? "",
    aspectIds: kind === "aspects" ? usual.aspectIds : [],
  };
}

/** What was typed, before anything of it is checked. */
export function readDraft(parameters: Parameters): PostDraft {
  const input = readInput(POST_FIELDS, parameters);
  const { audience = "" } = input;
  return {
    text: input.text ?? "",
    audience: AUDIENCES.find((it) => it === audience) ?? "",
    aspectIds: readIds(input.aspect) as AspectId[],
    warning: input.warning ?? "",
    photoIds: (readIds(input.photo_id) as PhotoId[]).slice(0, MAX_PICTURES),
    photoTexts: input.photo_text ?? "",
    question: input.question ?? "",
    answers: input.answers ?? "",
    multiple: input.multiple ?? false,
  };
}

/**
 * Without an audience nothing is published.
 * @throws {KithError} `not_found`
 */
export function audienceOf({ audience, aspectIds }: PostDraft): Audience {
  const isNobody = audience === "aspects" && aspectIds.length === 0;
  if (audience === "" || isNobody)
    throw new KithError("not_found", "No such audience.");
  return audience === "aspects"
    ? { kind: audience, aspectIds }
    : { kind: audience };
}

/** The lines of a text that are not blank. */
export function linesOf(written: string): string[] {
  return written
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Other text is no id, and names nothing. */
function readIds(given: readonly string[] | undefined): number[] {
  const ids = (given ?? []).filter((it) => /^[1-9]\d{0,14}$/.test(it));
  return [...new Set(ids.map(Number))];
}
