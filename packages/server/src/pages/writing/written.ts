import type { SignedIn } from "../../features/accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import type { HtmlValue } from "../kit/html.ts";
import { commentReach, postPath } from "../posts/act-view.ts";
import { ownWords } from "../posts/audience-chip.ts";
import type { PagesContext } from "../session/visitor.ts";

export const WRITTEN_KINDS = ["posts", "comments"] as const;

/** The kinds of written things, in the words of the paths. */
export type WrittenKind = (typeof WRITTEN_KINDS)[number];

/** A post or comment that the user may edit, or at least delete. */
export type Written = {
  readonly kind: WrittenKind;
  readonly guid: string;
  readonly text: string;
  readonly warning: string | null;
  /** Where it is read. */
  readonly path: string;
  /** Where its reader is led once it is deleted. */
  readonly after: string;
  /** Do some of the recipients keep the earlier version? */
  readonly isKept: boolean;
  /** The people who see it, in words. */
  readonly audience: HtmlValue;
};

/**
 * Finds what the user may edit, or delete.
 * @throws {KithError} `not_found`, also for what is not the user's
 */
export async function getWritten(
  context: PagesContext,
  user: SignedIn,
  { kind, guid }: { readonly kind: WrittenKind; readonly guid: string },
  act: "edit" | "delete",
): Promise<Written> {
  const found = !isGuid(guid)
    ? undefined
    : kind === "posts"
      ? await findPost(context, user, guid)
      : await findComment(context, user, guid, act);
  if (!found) throw new KithError("not_found", "Nothing of yours.");
  return found;
}

async function findPost(
  { ignoredEdits, posts }: PagesContext,
  user: SignedIn,
  guid: string,
): Promise<Written | undefined> {
  const post = await posts.findVisible({ guid }, user);
  if (post?.personId !== user.personId || post.type === "reshare")
    return undefined;
  const { text, warning } = post;
  return {
    ...{ kind: "posts", guid, text, warning },
    ...{ path: postPath(guid), after: "/home", audience: ownWords(post) },
    isKept: await ignoredEdits.ofPost(post),
  };
}

async function findComment(
  { comments, ignoredEdits, posts }: PagesContext,
  user: SignedIn,
  guid: string,
  act: "edit" | "delete",
): Promise<Written | undefined> {
  const comment =
    act === "delete"
      ? await comments.findRetractable({ guid }, user.personId)
      : await comments.findVisible({ guid }, user);
  if (!comment) return undefined;
  if (act === "edit" && comment.personId !== user.personId) return undefined;
  const post = await posts.findVisible({ id: comment.postId }, user);
  const { text, warning } = comment;
  return {
    ...{ kind: "comments", guid, text, warning },
    path: `/comments/${encodeURIComponent(guid)}`,
    after: post ? postPath(post.guid) : "/home",
    isKept: await ignoredEdits.ofComment(comment),
    audience: post && commentReach(post),
  };
}
