import {
  asList,
  asObject,
  type Json,
} from "../../../../lib/archives/read-json.ts";
import { isTime } from "../../../../lib/archives/read-values.ts";
import { readLanguageTag } from "../../../../lib/language-tag.ts";
import { timestamp } from "../../../../lib/time/clock.ts";
import { MAX_POLL_DURATION_S } from "../../../drafts/index.ts";
import { readWarning } from "../../../posts/index.ts";
import type { ImportItem, SourceMedia } from "../../import-item.ts";
import type { ItemDraft, NamedAudience } from "../../item-shapes.ts";
import { readStorable, readTexts, readWord } from "./kith-records.ts";
import { readPlace } from "./kith-writings.ts";

const KINDS = [
  ...(["everyone", "unlisted", "followers", "all_aspects"] as const),
  ...(["self", "mentioned", "aspects", "people"] as const),
];
const QUOTABLE = ["everyone", "followers", "nobody"] as const;
const MAX_NAME_LENGTH = 40;

/** @param photos those without a post, by their Guids */
export function readKithDraft(
  record: Json,
  photos: ReadonlyMap<string, SourceMedia>,
): ImportItem {
  const text = readStorable(record["text"]);
  const { publishAt } = record;
  const quotableBy = readWord(record["quotableBy"], QUOTABLE);
  const draft: ItemDraft = {
    ...{ text, nsfw: record["nsfw"] === true },
    audience: readAudience(record["audience"]),
    warning: readWarning(readStorable(record["warning"])),
    language: readLanguageTag(readStorable(record["language"])) ?? null,
    location: readPlace(record),
    poll: readPoll(record["poll"]),
    ...(quotableBy && { quotableBy }),
    ...(record["isTextOptional"] === true && { isTextOptional: true }),
    event: readStorable(record["eventGuid"]) || null,
    quoted: readStorable(record["quotedGuid"]) || null,
    publishAt: isTime(publishAt) ? timestamp(new Date(publishAt)) : null,
  };
  const media = readTexts(record["photos"]).map(
    (guid) => photos.get(guid) ?? { name: "", text: "", focus: null },
  );
  const name = text.slice(0, MAX_NAME_LENGTH);
  return { kind: "draft", name, draft, media };
}

/** One that cannot be read is for its author alone. */
function readAudience(value: unknown): NamedAudience {
  const { kind, aspects, people } = asObject(value);
  return {
    kind: readWord(kind, KINDS) ?? "self",
    ...{ aspects: readTexts(aspects), people: readTexts(people) },
  };
}

function readPoll(value: unknown): ItemDraft["poll"] {
  const { question, answers, multiple, endsAt, hidesTotals, durationS } =
    asObject(value);
  if (readStorable(question) === "") return null;
  return {
    question: readStorable(question),
    answers: asList(answers).slice(0, 100).map(readStorable),
    multiple: multiple === true,
    endsAt: readStorable(endsAt) || null,
    ...(typeof hidesTotals === "boolean" && { hidesTotals }),
    ...(isDuration(durationS) && { durationS }),
  };
}

const isDuration = (value: unknown): value is number =>
  typeof value === "number" && value > 0 && value <= MAX_POLL_DURATION_S;
