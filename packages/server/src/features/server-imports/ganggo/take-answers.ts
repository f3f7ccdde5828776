import type {
  ForeignDatabase,
  ForeignRow,
} from "../../../db/foreign/foreign-database.ts";
import { isGuid } from "../../../lib/guids.ts";
import { MAX_TEXT_LENGTH } from "../../posts/index.ts";
import type { RecordFate } from "../import-outcomes.ts";
import type { ServerImportRun, ServerImportsDeps } from "../server-import.ts";
import { numberIn, isTrueIn, readAll, textIn, timeIn } from "./ganggo-rows.ts";
import { personOf } from "./take-people.ts";
import { refusedAs } from "./take-posts.ts";

const withAuthors = (table: string) =>
  `a.*, people.author from ${table} a left join people on people.id = a.person_id where a.id > ?1`;

/** Takes over the comments on posts that came. */
export async function takeComments(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  const comments = readAll(database, withAuthors("comments"), "a.id");
  for await (const row of comments) {
    run.tick();
    if (isOfOthersAlone(run, row)) continue;
    const name = `${textIn(row, "guid")} by ${textIn(row, "author")}`;
    const fate = await refusedAs(() => takeComment(deps, run, database, row));
    run.outcomes.note("comment", fate, name);
  }
}

/** Most comments and likes are of people elsewhere, on posts that do not come. */
function isOfOthersAlone(run: ServerImportRun, row: ForeignRow): boolean {
  const target = numberIn(row, "shareable_id");
  const isOnComment = textIn(row, "shareable_type") === "Comment";
  if ((isOnComment ? run.comments : run.posts).has(target)) return false;
  const author = run.people.get(numberIn(row, "person_id"));
  return typeof author !== "object" || !author.isLocal;
}

async function takeComment(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
): Promise<RecordFate> {
  const [guid, text] = [textIn(row, "guid"), textIn(row, "text")];
  const createdAt = timeIn(row, "created_at");
  const postId = run.posts.get(numberIn(row, "shareable_id"));
  if (textIn(row, "shareable_type") !== "Post" || postId === undefined)
    return "target";
  if (!isGuid(guid)) return "malformed";
  if (createdAt === undefined) return "no_date";
  if (text.trim() === "") return "empty";
  if ([...text].length > MAX_TEXT_LENGTH) return "too_long";
  const author = await personOf(
    ...([deps, run, database, numberIn(row, "person_id")] as const),
  );
  if (typeof author === "string") return author;
  const known = await deps.comments.find({ guid });
  if (known) {
    if (known.personId !== author.id) return "taken";
    const { id } = known;
    run.comments.set(numberIn(row, "id"), { id, postId: known.postId });
    return "known";
  }
  if (run.isRehearsal || postId === null || author.id === null) {
    run.comments.set(numberIn(row, "id"), { id: null, postId });
    return "added";
  }
  const id = await deps.comments.takeOver({
    ...{ guid, text, postId, personId: author.id, createdAt },
    updatedAt: createdAt,
  });
  if (id === undefined) return "known";
  run.comments.set(numberIn(row, "id"), { id, postId });
  return "added";
}

/** Takes over the likes and dislikes of posts and comments that came. */
export async function takeLikes(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
): Promise<void> {
  for await (const row of readAll(database, withAuthors("likes"), "a.id")) {
    run.tick();
    if (isOfOthersAlone(run, row)) continue;
    const name = `${textIn(row, "guid")} by ${textIn(row, "author")}`;
    const fate = await refusedAs(() => takeLike(deps, run, database, row));
    run.outcomes.note("like", fate, name);
  }
}

async function takeLike(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  row: ForeignRow,
): Promise<RecordFate> {
  const guid = textIn(row, "guid");
  const createdAt = timeIn(row, "created_at");
  const target = targetOf(run, row);
  if (!target) return "target";
  if (!isGuid(guid)) return "malformed";
  if (createdAt === undefined) return "no_date";
  const author = await personOf(
    ...([deps, run, database, numberIn(row, "person_id")] as const),
  );
  if (typeof author === "string") return author;
  const known = await deps.likes.find({ guid });
  if (known) return known.personId === author.id ? "known" : "taken";
  const { postId, commentId } = target;
  if (run.isRehearsal || postId === null || author.id === null) return "added";
  const isAdded = await deps.likes.takeOver({
    ...{ guid, postId, commentId, personId: author.id, createdAt },
    positive: isTrueIn(row, "positive"),
  });
  return isAdded ? "added" : "known";
}

function targetOf(run: ServerImportRun, row: ForeignRow) {
  const id = numberIn(row, "shareable_id");
  if (textIn(row, "shareable_type") === "Post") {
    const postId = run.posts.get(id);
    return postId === undefined ? undefined : { postId, commentId: null };
  }
  const comment = run.comments.get(id);
  return comment && { postId: comment.postId, commentId: comment.id };
}
