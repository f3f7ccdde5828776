import { refuse } from "../../lib/archives/archive-entry.ts";
import {
  asText,
  readObject,
  readRecords,
  type Json,
} from "../../lib/archives/read-json.ts";
import type { Unpacked } from "../../lib/archives/unpack.ts";
import type { ImportItem } from "../../features/imports/index.ts";
import type { Source } from "../../features/imports/index.ts";
import { guidInAddress } from "./guid-in-address.ts";
import { readActivity } from "./mastodon-note.ts";

/**
 * The archive that Mastodon gives its people: `actor.json`, `outbox.json`, `likes.json`,
 * `bookmarks.json` and the media, with a folder around them or without.
 * @returns undefined for another archive
 */
export function openMastodonArchive(files: Unpacked): Source | undefined {
  const outboxName = [...files.keys()].find((it) =>
    /^(?:[^/]+\/)?outbox\.json$/.test(it),
  );
  if (outboxName === undefined) return undefined;
  const folder = outboxName.slice(0, -"outbox.json".length);
  const file = (name: string) => files.get(folder + name);
  const actorFile = file("actor.json");
  if (actorFile === undefined) return undefined;
  return {
    items: () => readItems(actorFile, file),
    fileOf: file,
  };
}

async function* readItems(
  actorFile: string,
  file: (name: string) => string | undefined,
): AsyncGenerator<ImportItem, void, undefined> {
  const actor = readActor(await readObject(actorFile));
  const nameOf = (url: string) => nameInArchive(url, file);
  for await (const activity of recordsOf(file("outbox.json")))
    yield* readActivity(activity, actor, nameOf);
  for await (const uri of recordsOf(file("bookmarks.json")))
    yield asText(uri) === ""
      ? { kind: "bookmark", name: "", fault: "malformed" }
      : { kind: "bookmark", name: asText(uri), post: { uri: asText(uri) } };
  for await (const uri of recordsOf(file("likes.json")))
    yield readLike(asText(uri));
}

/** Its date is not in the archive. */
const readLike = (uri: string): ImportItem =>
  uri === ""
    ? { kind: "like", name: "", fault: "malformed" }
    : {
        ...({ kind: "like", name: uri } as const),
        like: {
          ...{ target: { uri }, otherwise: guidInAddress(uri) },
          ...{ positive: true, createdAt: null },
        },
      };

async function* recordsOf(file: string | undefined) {
  if (file !== undefined) yield* readRecords(file, "$.orderedItems.*");
}

/** The owner of the archive. */
export type ArchiveActor = { readonly id: string; readonly host: string };

function readActor(actor: Json): ArchiveActor {
  const id = asText(actor["id"]);
  const url = URL.parse(id);
  if (!url || !/^https?:$/.test(url.protocol))
    throw refuse("does not say to whose account it belongs");
  return { id, host: url.host };
}

/** Files are named by the address that they had; servers with an object store add a folder. */
function nameInArchive(
  url: string,
  file: (name: string) => string | undefined,
): string | undefined {
  const name = url.replace(/^\/+/, "");
  const start = name.indexOf("media_attachments/");
  return [name, name.slice(Math.max(start, 0))].find(
    (it) => file(it) !== undefined,
  );
}
