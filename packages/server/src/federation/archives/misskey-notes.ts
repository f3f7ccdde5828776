import {
  asList,
  asObject,
  asText,
  readRecords,
  type Json,
} from "../../lib/archives/read-json.ts";
import { isTime } from "../../lib/archives/read-values.ts";
import type { Unpacked } from "../../lib/archives/unpack.ts";
import { storableText } from "../../lib/well-formed.ts";
import { readWarning } from "../../features/posts/index.ts";
import type {
  ImportItem,
  ItemWriting,
  Source,
  SourceMedia,
} from "../../features/imports/index.ts";
import type { JsonFile } from "./json-file.ts";

const NOTE = /^\uFEFF?\s*\[\s*\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"text"\s*:/;
const MAX_MEDIA = 64;
const MAX_ANSWERS = 50;

/**
 * The notes that Misskey, and servers made from it, give their people: one JSON list. Newer
 * versions name the files with their addresses, older ones only by their ids.
 * @returns undefined for another file
 */
export function openMisskeyNotes(
  { head, file }: JsonFile,
  files: Unpacked,
): Source | undefined {
  if (!NOTE.test(head) || !/"visibility"\s*:/.test(head)) return undefined;
  return { items: () => readNotes(file), fileOf: (name) => files.get(name) };
}

async function* readNotes(
  file: string,
): AsyncGenerator<ImportItem, void, undefined> {
  for await (const value of readRecords(file, "$.*"))
    yield readNote(asObject(value));
}

function readNote(note: Json): ImportItem {
  const name = asText(note["id"]);
  const text = storableText(asText(note["text"])).trim();
  const media = readMedia(note);
  const isRenote = asText(note["renoteId"]) !== "";
  const poll = closedPollOf(note["poll"]);
  if (isRenote && text === "" && media.length === 0 && poll === "")
    return { kind: "reshare", name, fault: "would_tell" };
  if (name === "") return { kind: "post", name, fault: "malformed" };
  const { createdAt } = note;
  if (!isTime(createdAt)) return { kind: "post", name, fault: "no_date" };
  const writing = {
    source: `misskey ${name}`,
    text: [text, poll].filter((part) => part !== "").join("\n\n"),
    audience: readAudience(note),
    warning: readWarning(asText(note["cw"])),
    nsfw: media.some(({ isSensitive }) => isSensitive),
    ...{ language: null, location: null, tags: [], media },
    ...{ createdAt, updatedAt: createdAt },
    replyTo: readReply(note),
  };
  return { kind: "post", name, writing };
}

function readReply({ replyId }: Json): string | null {
  return asText(replyId) === "" ? null : `misskey ${asText(replyId)}`;
}

/** A note for its own server alone had fewer readers than a public one has here. */
function readAudience({
  visibility,
  localOnly,
}: Json): ItemWriting["audience"] {
  if (localOnly === true) return "self";
  if (visibility === "public") return "everyone";
  return visibility === "home" ? "unlisted" : "self";
}

type NoteMedia = SourceMedia & { readonly isSensitive: boolean };

function readMedia(note: Json): NoteMedia[] {
  const files = asList(note["files"]).slice(0, MAX_MEDIA).map(asObject);
  if (files.length === 0)
    return asList(note["fileIds"])
      .slice(0, MAX_MEDIA)
      .map((id) => ({
        ...{ name: asText(id), text: "", focus: null, isSensitive: false },
      }));
  return files.map(({ name, url, comment, isSensitive }) => ({
    name: asText(name),
    url: asText(url),
    text: storableText(asText(comment)),
    focus: null,
    isSensitive: isSensitive === true,
  }));
}

/** The choices of a poll with their votes, as a list: nobody can vote any more. */
function closedPollOf(value: unknown): string {
  const { choices, votes } = asObject(value);
  const counts = asList(votes);
  return asList(choices)
    .slice(0, MAX_ANSWERS)
    .map((choice, at) => {
      const count = counts[at];
      const shown = Number.isSafeInteger(count) ? ` (${String(count)})` : "";
      return `- ${storableText(asText(choice))}${shown}`;
    })
    .join("\n");
}
