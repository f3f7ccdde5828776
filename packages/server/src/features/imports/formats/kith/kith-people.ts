import { asList, type Json } from "../../../../lib/archives/read-json.ts";
import { isTime } from "../../../../lib/archives/read-values.ts";
import type { Unpacked } from "../../../../lib/archives/unpack.ts";
import type { ImportItem } from "../../import-item.ts";
import {
  readFlag,
  readStorable,
  readTexts,
  readWord,
  recordsOf,
} from "./kith-records.ts";

type Items = AsyncGenerator<ImportItem, void, undefined>;

const POLICIES = ["followed", "list", "none"] as const;

/** The people around the owner: first those who are kept away. */
export async function* readPeople(files: Unpacked): Items {
  for await (const { handle } of recordsOf(files, "blocks"))
    yield {
      kind: "block",
      name: readStorable(handle),
      handle: readStorable(handle),
    };
  for await (const { host } of recordsOf(files, "host-blocks"))
    yield {
      kind: "host_block",
      name: readStorable(host),
      host: readStorable(host),
    };
  for await (const ignore of recordsOf(files, "ignores"))
    yield readIgnore(ignore);
  for await (const record of recordsOf(files, "aspects")) {
    const { name, repliesPolicy, exclusive } = record;
    yield {
      ...{ kind: "aspect", name: readStorable(name) },
      aspect: {
        name: readStorable(name),
        repliesPolicy: readWord(repliesPolicy, POLICIES),
        exclusive: readFlag(exclusive),
      },
    };
  }
  for await (const aspect of recordsOf(files, "aspects"))
    for (const member of asList(aspect["members"])) {
      const handle = readStorable(member);
      const name = handle;
      yield {
        kind: "follow",
        name,
        handle,
        aspect: readStorable(aspect["name"]),
      };
    }
  for await (const contact of recordsOf(files, "contacts"))
    yield* readFollowChoices(contact);
  for await (const { handle, text } of recordsOf(files, "person-notes"))
    yield {
      ...{
        kind: "person_note",
        name: readStorable(handle),
        handle: readStorable(handle),
      },
      text: readStorable(text),
    };
}

function readIgnore({ handle, endsAt }: Json): ImportItem {
  const ignored = { name: readStorable(handle), handle: readStorable(handle) };
  return {
    ...{ kind: "ignore", ...ignored },
    ...(isTime(endsAt) && { endsAt }),
  };
}

/** Somebody who follows the owner alone has to do so here. */
function* readFollowChoices(
  contact: Json,
): Generator<ImportItem, void, undefined> {
  if (contact["following"] !== true) return;
  const handle = readStorable(contact["handle"]);
  const choices = {
    reshares: contact["reshares"] !== false,
    notify: contact["notify"] === true,
    languages: readTexts(contact["languages"]),
    featured: contact["featured"] === true,
  };
  const { reshares, notify, languages, featured } = choices;
  if (!reshares || notify || languages.length > 0 || featured)
    yield { kind: "follow_choice", name: handle, handle, choices };
}
