import type { PersonId } from "../ids.ts";
import { isGuid } from "../../lib/guids.ts";
import { KithError } from "../../lib/errors.ts";
import { MAX_TEXT_LENGTH } from "../posts/index.ts";
import type { ItemWriting } from "./import-item.ts";
import { findUsableMedia, uploadMedia } from "./import-media.ts";
import type {
  ImportDeps,
  ImportRun,
  RecordOutcome,
  OwnWriting,
} from "./import-run.ts";

/** Stores an old post, or an old comment on a post of the user's own. */
export async function importWriting(
  deps: ImportDeps,
  run: ImportRun,
  writing: ItemWriting,
  name: string,
): Promise<void> {
  const isReply = writing.replyTo !== null;
  const kind = isReply ? "comment" : "post";
  const outcome = (await findOwn(deps, run, writing.source))
    ? "known"
    : await refuseFaults(isReply ? importReply : importPost)(
        deps,
        run,
        writing,
        name,
      );
  run.outcomes.note(kind, outcome, name);
  const guid = deps.deriveGuid(run.user.personId, writing.source);
  if (run.isRehearsal && outcome === "added")
    run.planned.set(guid, writing.audience);
}

type Import = (
  deps: ImportDeps,
  run: ImportRun,
  writing: ItemWriting,
  name: string,
) => Promise<RecordOutcome>;

/** A post that is refused does not end the import. */
function refuseFaults(act: Import): Import {
  return async (deps, run, writing, name) => {
    const { length } = [...writing.text.slice(0, 2 * MAX_TEXT_LENGTH + 1)];
    if (length > MAX_TEXT_LENGTH) return "too_long";
    try {
      return await act(deps, run, writing, name);
    } catch (error) {
      const isOfRecord =
        error instanceof KithError && error.code !== "unavailable";
      // An import that is stopped goes on where it was.
      if (!isOfRecord) throw error;
      return error.code === "empty_string" ? "empty" : "refused";
    }
  };
}

async function importPost(
  deps: ImportDeps,
  run: ImportRun,
  writing: ItemWriting,
  name: string,
): Promise<RecordOutcome> {
  const media = await findUsableMedia(deps, run, writing, name);
  const isEmpty = writing.text.trim() === "";
  if (isEmpty && media.length === 0) return "empty";
  if (run.isRehearsal) {
    const guid = deps.deriveGuid(run.user.personId, writing.source);
    return run.planned.has(guid) ? "known" : "added";
  }
  const photoIds = await uploadMedia(deps, run, media, name);
  if (isEmpty && photoIds.length === 0) return "empty";
  const { source, replyTo: _, media: __, ...post } = writing;
  const guid = deps.deriveGuid(run.user.personId, source);
  const isAdded = await deps.posts.import({
    ...{ ...post, author: run.user, guid, photoIds },
  });
  return isAdded ? "added" : "known";
}

async function importReply(
  deps: ImportDeps,
  run: ImportRun,
  writing: ItemWriting,
  name: string,
): Promise<RecordOutcome> {
  const { source, text, warning, language, createdAt, updatedAt } = writing;
  const { earlier = [] } = writing;
  const parentName = writing.replyTo ?? "";
  const parent = await findOwn(deps, run, parentName);
  const planned = run.planned.get(
    deps.deriveGuid(run.user.personId, parentName),
  );
  if (!parent && planned === undefined) return "reply";
  const audience = parent ? await audienceOf(deps, parent) : planned;
  if (writing.audience === "self" && audience !== "self") return "wider";
  const media = await findUsableMedia(deps, run, writing, name);
  const isEmpty = text.trim() === "";
  if (isEmpty && media.length === 0) return "empty";
  if (run.isRehearsal || !parent) return "added";
  const photoIds = await uploadMedia(deps, run, media, name);
  if (isEmpty && photoIds.length === 0) return "empty";
  const isAdded = await deps.comments.import({
    author: run.user,
    guid: deps.deriveGuid(run.user.personId, source),
    postId: parent.kind === "post" ? parent.post.id : parent.comment.postId,
    parentGuid: parent.kind === "post" ? null : parent.comment.guid,
    ...{ text, warning, language, createdAt, updatedAt, earlier, photoIds },
  });
  return isAdded ? "added" : "known";
}

async function audienceOf(
  { posts }: ImportDeps,
  parent: OwnWriting,
): Promise<ItemWriting["audience"]> {
  const post =
    parent.kind === "post"
      ? parent.post
      : await posts.find({ id: parent.comment.postId });
  return post?.public === false ? "self" : "everyone";
}

/**
 * Finds a post or a comment of the user by its name in an archive: imported before, or, from an
 * archive of this account here, never gone; or by the account that moves here.
 */
export async function findOwn(
  { posts, comments, deriveGuid }: ImportDeps,
  { user, formerId }: ImportRun,
  source: string,
): Promise<OwnWriting | undefined> {
  const guids = [deriveGuid(user.personId, source)];
  if (isGuid(source)) guids.push(source);
  const isOwn = (personId: PersonId | undefined) =>
    personId !== undefined &&
    (personId === user.personId || personId === formerId);
  for (const guid of guids) {
    const post = await posts.find({ guid });
    if (post && isOwn(post.personId)) return { kind: "post", post };
    const comment = await comments.find({ guid });
    if (comment && isOwn(comment.personId)) return { kind: "comment", comment };
  }
  return undefined;
}
