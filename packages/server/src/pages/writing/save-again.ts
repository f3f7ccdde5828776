import type { SignedIn } from "../../features/accounts/index.ts";
import type { Audience } from "../../features/audiences/index.ts";
import type { Draft } from "../../features/drafts/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { MAX_PICTURES } from "../kit/components/picture-fields.ts";
import type { PagesContext } from "../session/visitor.ts";

/**
 * Makes a draft of a post of the user, and deletes the post. Its pictures belong to the draft
 * then.
 * @returns `refused`, without any change, if there is no room for another draft
 */
export async function writeAgain(
  context: PagesContext,
  user: SignedIn,
  guid: string,
): Promise<Draft | "refused"> {
  // It is saved before it is deleted, so that nothing is lost in between.
  const draft = await saveAgain(context, user, guid);
  if (draft === "refused") return draft;
  const { drafts, photos, posts } = context;
  const post = await posts.findVisible({ guid }, user);
  const shown = post && (await photos.listOf([post.id])).get(post.id);
  const photoIds = (shown ?? []).map(({ id }) => id).slice(0, MAX_PICTURES);
  await posts.deleteOrHide(user, guid, photoIds.length > 0);
  if (photoIds.length === 0) return draft;
  const content = { ...draft.content, photoIds };
  return drafts.save(user, { content, publishAt: null }, draft.id);
}

async function saveAgain(
  context: PagesContext,
  user: SignedIn,
  guid: string,
): Promise<Draft | "refused"> {
  const { aspects, drafts, polls, posts, quotes } = context;
  const post = await posts.findVisible({ guid }, user);
  if (!post) throw new KithError("not_found", "No such post.");
  const own = await aspects.list(user.userId);
  const found = (await polls.listResults([post.id], user.personId)).get(
    post.id,
  );
  const poll = found && {
    question: found.poll.question,
    answers: found.poll.answers.map(({ text }) => text),
    multiple: found.poll.multiple,
    endsAt: null,
  };
  const quote = (await quotes.listShown([post.id], user)).get(post.id);
  const content = {
    ...{ text: post.text, warning: post.warning, language: post.language },
    ...{ nsfw: post.nsfw, location: post.location, poll: poll ?? null },
    ...{ eventId: post.eventId, photoIds: [], quotableBy: post.quotableBy },
    // A quote that was forbidden would be refused again.
    quoteId: quote?.state === "accepted" ? quote.post.id : null,
    audience: audienceAgain(post, new Set(own.map(({ id }) => id))),
  };
  try {
    return await drafts.save(user, { content, publishAt: null });
  } catch (error) {
    if (error instanceof KithError && error.code === "bad_request")
      return "refused";
    throw error;
  }
}

/** The audience of the post, or its author alone if it cannot be had again. */
function audienceAgain(
  { public: isPublic, listed, limitedTo, aspects }: Post,
  own: ReadonlySet<number>,
): Audience {
  if (isPublic) return { kind: listed ? "everyone" : "unlisted" };
  const aspectIds = aspects.map(({ id }) => id);
  if (limitedTo === "aspects" && aspectIds.every((id) => own.has(id)))
    return { kind: "aspects", aspectIds };
  return limitedTo === "followers" || limitedTo === "all_aspects"
    ? { kind: limitedTo }
    : { kind: "self" };
}
