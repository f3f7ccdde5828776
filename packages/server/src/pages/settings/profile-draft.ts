import type {
  DetailAudiences,
  Profile,
  ProfileChanges,
} from "../../features/people/index.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { draftOf, type FormDraft } from "../session/return-target.ts";

/** Lines of one's own, as many as a profile may have. */
export const MAX_LINES = 20;

export const TEXTS = [
  "first_name",
  "last_name",
  "bio",
  "location",
  "gender",
  "birthday",
] as const;
export const DETAILS = ["bio", "location", "gender", "birthday"] as const;
export const SWITCHES = ["nsfw", "bot"] as const;
export const DETAIL_AUDIENCES = [
  "everyone",
  "contacts",
  "nobody",
] as const satisfies readonly DetailAudiences[keyof DetailAudiences][];

const LINES = Array.from({ length: MAX_LINES }, (_, at) => at);

const NAMES: readonly string[] = [
  ...TEXTS,
  ...DETAILS.map(audienceName),
  ...SWITCHES,
  ...LINES.flatMap((at) => [lineName(at), lineText(at)]),
];

/** The field that says who sees a detail. */
export function audienceName(detail: (typeof DETAILS)[number]): string {
  return `${detail}_for`;
}

export function lineName(at: number): string {
  return `line_name_${at}`;
}

export function lineText(at: number): string {
  return `line_text_${at}`;
}

/** The form as it shows the present profile. */
export function draftOfProfile(profile: Profile): FormDraft {
  return {
    first_name: profile.firstName,
    last_name: profile.lastName,
    ...{ bio: profile.bio, location: profile.location },
    ...{ gender: profile.gender, birthday: profile.birthday ?? "" },
    ...Object.fromEntries(
      DETAILS.map((detail) => [audienceName(detail), profile.shownTo[detail]]),
    ),
    nsfw: profile.nsfw ? "true" : "",
    bot: profile.kind === "bot" ? "true" : "",
    ...Object.fromEntries(
      profile.fields.flatMap(({ name, value }, at) => [
        [lineName(at), name],
        [lineText(at), value],
      ]),
    ),
  };
}

export function readProfileDraft(parameters: Parameters): FormDraft {
  return draftOf(NAMES, parameters);
}

/** A box that is not checked is not sent. */
export function changesOf(draft: FormDraft): ProfileChanges {
  const { birthday = "" } = draft;
  return {
    firstName: draft["first_name"] ?? "",
    lastName: draft["last_name"] ?? "",
    bio: draft["bio"] ?? "",
    location: draft["location"] ?? "",
    gender: draft["gender"] ?? "",
    birthday: birthday === "" ? null : birthday,
    shownTo: Object.fromEntries(
      DETAILS.flatMap((detail) => {
        const chosen = draft[audienceName(detail)];
        const audience = DETAIL_AUDIENCES.find((it) => it === chosen);
        return audience ? [[detail, audience]] : [];
      }),
    ),
    nsfw: draft["nsfw"] === "true",
    kind: draft["bot"] === "true" ? "bot" : "person",
    fields: LINES.map((at) => ({
      name: draft[lineName(at)] ?? "",
      value: draft[lineText(at)] ?? "",
    })).filter(({ name, value }) => `${name}${value}`.trim() !== ""),
  };
}
