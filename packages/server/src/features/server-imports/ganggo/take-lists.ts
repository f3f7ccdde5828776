import type {
  ForeignDatabase,
  ForeignRow,
} from "../../../db/foreign/foreign-database.ts";
import { parseTag } from "../../../lib/markdown/tags.ts";
import { MAX_STREAMS } from "../../streams/index.ts";
import type { RecordFate } from "../import-outcomes.ts";
import type { ServerImportRun, ServerImportsDeps } from "../server-import.ts";
import { numberIn, readAll, textIn } from "./ganggo-rows.ts";
import { findOwner } from "./take-contacts.ts";
import { refusedAs } from "./take-posts.ts";

const TAGS = `u.*, tags.name from user_taggings u join tags on tags.id = u.tag_id
  where u.id > ?1`;

/** Takes over the tags that the accounts follow. */
export async function takeTags(
  { streams }: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  const take = async (row: ForeignRow): Promise<RecordFate> => {
    const owner = findOwner(run, numberIn(row, "user_id"));
    if (typeof owner === "string") return owner;
    const tag = parseTag(textIn(row, "name"));
    if (tag === undefined) return "malformed";
    if (owner.userId === null) return "added";
    if (await streams.isFollowingTag(owner.userId, tag)) return "known";
    if (!run.isRehearsal) await streams.followTag(owner.userId, tag);
    return "added";
  };
  for await (const row of readAll(database, TAGS, "u.id")) {
    const fate = await refusedAs(() => take(row));
    run.outcomes.note("tag", fate, `#${textIn(row, "name")}`);
    run.tick();
  }
}

/** Takes over the streams that the accounts have made. */
export async function takeStreams(
  { streams }: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  const take = async (row: ForeignRow): Promise<RecordFate> => {
    const owner = findOwner(run, numberIn(row, "user_id"));
    if (typeof owner === "string") return owner;
    const stream = {
      ...{ name: textIn(row, "name"), tags: textIn(row, "tags") },
      ...{ people: textIn(row, "people") },
      expression: textIn(row, "expression"),
    };
    if (owner.userId === null) return "added";
    const all = { offset: 0, limit: MAX_STREAMS };
    const present = await streams.list(owner.userId, all);
    if (present.some(({ name }) => name === stream.name.trim())) return "known";
    if (!run.isRehearsal) await streams.save(owner.userId, stream);
    return "added";
  };
  const rows = readAll(database, "* from user_streams where id > ?1");
  for await (const row of rows) {
    const fate = await refusedAs(() => take(row));
    run.outcomes.note("stream", fate, textIn(row, "name"));
    run.tick();
  }
}
