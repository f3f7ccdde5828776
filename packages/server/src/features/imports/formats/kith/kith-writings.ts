import { readLanguageTag } from "../../../../lib/language-tag.ts";
import {
  asList,
  asObject,
  type Json,
} from "../../../../lib/archives/read-json.ts";
import type { Unpacked } from "../../../../lib/archives/unpack.ts";
import {
  isTime,
  readFocalPoint,
} from "../../../../lib/archives/read-values.ts";
import {
  MAX_TEXT_LENGTH,
  readLocation,
  readWarning,
} from "../../../posts/index.ts";
import type {
  ImportItem,
  SourceMedia,
  ItemWriting,
} from "../../import-item.ts";
import { readStorable, recordsOf } from "./kith-records.ts";

/** An archive of somebody with more is not ours. */
const MAX_PHOTOS = 200_000;

/** The pictures of an archive. */
export type KithPhotos = {
  /** By the Guids of their posts or comments. */
  readonly ofWritings: ReadonlyMap<string, readonly SourceMedia[]>;
  /** Those without a post, by their own Guids. */
  readonly waiting: ReadonlyMap<string, SourceMedia>;
  /** The name of the file of the profile's picture. */
  readonly profile: string | null;
  /** The same of the wide one above the profile. */
  readonly header: string | null;
};

export async function readPhotos(files: Unpacked): Promise<KithPhotos> {
  const ofWritings = new Map<string, SourceMedia[]>();
  const waiting = new Map<string, SourceMedia>();
  let profile: string | null = null;
  let header: string | null = null;
  let left = MAX_PHOTOS;
  for await (const photo of recordsOf(files, "photos")) {
    if ((left -= 1) < 0) break;
    const { file, text, focus } = photo;
    const media = {
      ...{ name: readStorable(file), text: readStorable(text) },
      focus: readFocalPoint(focus),
    };
    const writingGuid =
      readStorable(photo["commentGuid"]) || readStorable(photo["postGuid"]);
    if (photo["isProfilePicture"] === true) profile = media.name;
    else if (photo["isHeader"] === true) header = media.name;
    else if (writingGuid === "")
      waiting.set(readStorable(photo["guid"]), media);
    else
      ofWritings.set(writingGuid, [
        ...(ofWritings.get(writingGuid) ?? []),
        media,
      ]);
  }
  return { ofWritings, waiting, profile, header };
}

export function readKithPost(
  post: Json,
  media: ReadonlyMap<string, readonly SourceMedia[]>,
): ImportItem {
  const guid = readStorable(post["guid"]);
  if (post["type"] === "Reshare" || readStorable(post["rootGuid"]) !== "")
    return { kind: "reshare", name: guid, fault: "would_tell" };
  if (guid === "") return { kind: "post", name: guid, fault: "malformed" };
  if (!isTime(post["createdAt"]))
    return { kind: "post", name: guid, fault: "no_date" };
  const writing = {
    ...readWriting(post, guid),
    text: [readStorable(post["text"]), closedPollOf(post)]
      .filter((part) => part !== "")
      .join("\n\n"),
    audience: readAudience(post),
    nsfw: post["nsfw"] === true,
    location: readPlace(post),
    media: media.get(guid) ?? [],
    replyTo: null,
  };
  return { kind: "post", name: guid, writing };
}

/** Recipients of a limited post may be other people here, so it is for its author alone. */
function readAudience(post: Json): ItemWriting["audience"] {
  if (post["public"] !== true) return "self";
  return post["listed"] === true ? "everyone" : "unlisted";
}

export function readComment(
  comment: Json,
  media: ReadonlyMap<string, readonly SourceMedia[]>,
): ImportItem {
  const guid = readStorable(comment["guid"]);
  const postGuid = readStorable(comment["postGuid"]);
  if (guid === "" || postGuid === "")
    return { kind: "comment", name: guid, fault: "malformed" };
  if (!isTime(comment["createdAt"]))
    return { kind: "comment", name: guid, fault: "no_date" };
  const writing = {
    ...readWriting(comment, guid),
    text: readStorable(comment["text"]),
    // A comment has the audience of its post.
    audience: "everyone" as const,
    ...{ nsfw: false, location: null, media: media.get(guid) ?? [] },
    replyTo: readStorable(comment["parentGuid"]) || postGuid,
  };
  return { kind: "post", name: guid, writing };
}

function readWriting(record: Json, guid: string) {
  const createdAt = readStorable(record["createdAt"]);
  const { updatedAt } = record;
  return {
    source: guid,
    warning: readWarning(readStorable(record["warning"])),
    language: readLanguageTag(readStorable(record["language"])) ?? null,
    tags: [],
    createdAt,
    updatedAt: isTime(updatedAt) ? updatedAt : createdAt,
    earlier: readEarlier(record["earlierTexts"]),
  };
}

/** Versions whose pictures are not kept: they were named by their Guids. */
function readEarlier(value: unknown): NonNullable<ItemWriting["earlier"]> {
  return asList(value)
    .map(asObject)
    .flatMap(({ text, warning, writtenAt }) =>
      isTime(writtenAt) && readStorable(text).length <= 2 * MAX_TEXT_LENGTH
        ? [
            {
              ...{ text: readStorable(text), writtenAt },
              warning: readWarning(readStorable(warning)),
            },
          ]
        : [],
    );
}

export function readPlace(post: Json): ItemWriting["location"] {
  const { address, lat, lng } = asObject(post["location"]);
  return readStorable(lat) === "" || readStorable(lng) === ""
    ? null
    : readLocation({
        address: readStorable(address),
        lat: readStorable(lat),
        lng: readStorable(lng),
      });
}

const MAX_ANSWERS = 50;

/** A poll with its answers and their votes, as text: nobody can vote any more. */
function closedPollOf(post: Json): string {
  const poll = asObject(post["poll"]);
  const answers = asList(poll["answers"]).slice(0, MAX_ANSWERS).map(asObject);
  if (answers.length === 0) return "";
  const lines = answers.map(({ text, votes }) => {
    const count = Number.isSafeInteger(votes) ? ` (${String(votes)})` : "";
    return `- ${readStorable(text)}${count}`;
  });
  return [`**${readStorable(poll["question"])}**`, lines.join("\n")].join(
    "\n\n",
  );
}
