import {
  asList,
  asObject,
  type Json,
} from "../../../../lib/archives/read-json.ts";
import { isTime } from "../../../../lib/archives/read-values.ts";
import type { Unpacked } from "../../../../lib/archives/unpack.ts";
import { timestamp } from "../../../../lib/time/clock.ts";
import { MAX_KEYWORDS } from "../../../filters/index.ts";
import { FILTER_ACTIONS, FILTER_CONTEXTS } from "../../../visibility/index.ts";
import type { ImportItem } from "../../import-item.ts";
import type { ItemFilter } from "../../item-shapes.ts";
import {
  readStorable,
  readTexts,
  readWord,
  recordsOf,
} from "./kith-records.ts";

type Items = AsyncGenerator<ImportItem, void, undefined>;

/** The posts that the owner keeps and hides, tags, filters and streams. */
export async function* readKithLists(files: Unpacked): Items {
  for await (const named of listPosts(files, "bookmarks"))
    yield { kind: "bookmark", ...named };
  for await (const named of listPosts(files, "hidden-posts"))
    yield { kind: "hidden_post", ...named };
  for await (const named of listPosts(files, "muted-posts"))
    yield { kind: "muted_post", ...named };
  for await (const { tag } of recordsOf(files, "followed-tags"))
    yield { kind: "tag", name: readStorable(tag), tag: readStorable(tag) };
  for await (const { tag } of recordsOf(files, "featured-tags"))
    yield {
      kind: "featured_tag",
      name: readStorable(tag),
      tag: readStorable(tag),
    };
  for await (const filter of recordsOf(files, "filters"))
    yield* readFilter(filter);
  for await (const stream of recordsOf(files, "streams"))
    yield readStream(stream);
  for await (const record of recordsOf(files, "likes")) yield readLike(record);
}

function readLike(record: Json): ImportItem {
  const { positive, createdAt } = record;
  const guid =
    readStorable(record["commentGuid"]) || readStorable(record["postGuid"]);
  const like = {
    ...{ target: { guid }, positive: positive !== false },
    createdAt: isTime(createdAt) ? createdAt : null,
  };
  return { kind: "like", name: guid, like };
}

async function* listPosts(files: Unpacked, file: string) {
  for await (const { postGuid } of recordsOf(files, file)) {
    const guid = readStorable(postGuid);
    yield { name: guid, post: { guid } };
  }
}

/** Of a title and a keyword: what is longer is refused, and is not compared as a whole. */
const MAX_LENGTH = 1_000;

/** One with more words than all filters may have is refused with the first of these. */
function* readFilter(record: Json): Generator<ImportItem, void, undefined> {
  const { endsAt } = record;
  const name = readStorable(record["title"]).slice(0, MAX_LENGTH);
  const action = readWord(record["action"], FILTER_ACTIONS);
  if (action === undefined)
    return void (yield { kind: "filter", name, fault: "malformed" });
  const contexts = asList(record["contexts"]).flatMap(
    (it) => readWord(it, FILTER_CONTEXTS) ?? [],
  );
  const keywords = asList(record["keywords"])
    .slice(0, MAX_KEYWORDS + 1)
    .map(asObject);
  const filter: ItemFilter = {
    ...{ title: name, action, contexts },
    endsAt: isTime(endsAt) ? timestamp(new Date(endsAt)) : null,
    keywords: keywords.map(({ keyword, wholeWord }) => ({
      ...{
        keyword: readStorable(keyword).slice(0, MAX_LENGTH),
        wholeWord: wholeWord === true,
      },
    })),
  };
  yield { kind: "filter", name, filter };
  for (const guid of new Set(readTexts(record["statuses"])))
    yield { kind: "filtered_post", name: guid, filter, guid };
}

/** Numbers name people of another database: they would be other people here. */
function readStream(record: Json): ImportItem {
  const name = readStorable(record["name"]);
  const people = readStorable(record["people"]).split(",");
  return {
    ...{ kind: "stream", name },
    stream: {
      ...{ name, tags: readStorable(record["tags"]) },
      people: people.filter((it) => !/^\s*\d+\s*$/.test(it)).join(","),
      expression: readStorable(record["expression"]),
    },
  };
}
