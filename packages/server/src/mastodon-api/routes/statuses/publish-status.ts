import type { SignedIn } from "../../../features/accounts/index.ts";
import type { PersonId, PostId } from "../../../features/ids.ts";
import {
  attachAll,
  type Post,
  type PublishPost,
} from "../../../features/posts/index.ts";
import { warnOfPictures } from "../../../features/comments/index.ts";
import { visibilityOf, type Writing } from "../../entities/status.ts";
import type { Access } from "../../../features/oauth/index.ts";
import { invalid } from "../../kit/refusals.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getOriginal } from "../../loading/find-writing.ts";
import { checkMentionsOfMessage, findAddressees } from "./mentions-in-reach.ts";
import { audienceOfStatus, endOfPoll, type NewStatus } from "./new-status.ts";

/** How a status was sent. */
export type Submitted = {
  readonly app: Access["app"];
  /** Notes the id of what is published, in its transaction. */
  readonly note: (
    tx: Parameters<NonNullable<PublishPost["attach"]>>[0],
    id: number,
  ) => Promise<void>;
};

/**
 * Publishes a status: a post, a comment, or a private message.
 * @throws {Refusal} or {KithError} as publishing does
 */
export async function publishStatus(
  deps: MastodonDeps,
  user: SignedIn,
  status: NewStatus,
  { app, note }: Submitted,
): Promise<Writing> {
  const parent =
    status.replyTo === undefined
      ? undefined
      : await getOriginal(deps, status.replyTo, user);
  if (parent && !isTalkApart(parent, status))
    return reply(deps, user, parent, status, note);
  if (status.visibility === "direct") {
    const personIds = await findAddressees(deps, user, status.text);
    if (personIds.length > 0)
      return startTalk(deps, user, personIds, status, note);
  }
  const post = await publish(deps, user, status, { app, note });
  return { post, comment: null };
}

/** A private message in answer to a post that others read, too, is no comment on it. */
const isTalkApart = ({ post }: Writing, { visibility }: NewStatus): boolean =>
  visibility === "direct" && post.participants === null;

/**
 * A comment is as public as its post, so nothing meant for fewer becomes one.
 * @throws {Refusal} for that, and for what a comment cannot have
 */
async function reply(
  deps: MastodonDeps,
  user: SignedIn,
  { post, comment: parent }: Writing,
  status: NewStatus,
  attach: Submitted["note"],
): Promise<Writing> {
  const { comments, conversations } = deps;
  const { visibility, text, language, photoIds } = status;
  const warning = warnOfPictures(
    ...([status.warning, status.isSensitive, photoIds] as const),
  );
  const isNarrower =
    visibility === "private" &&
    ["public", "unlisted"].includes(visibilityOf(post));
  if (isNarrower)
    throw invalid("A reply is as public as the post to which it replies");
  if (status.poll || status.quoteId !== null)
    throw invalid("A reply has no poll and no quote");
  const more = { photoIds, isTextOptional: true, attach };
  if (post.participants !== null) {
    const talk = await conversations.find(user, { id: post.id });
    if (!talk) throw invalid("You have left this conversation");
    await checkMentionsOfMessage(deps, post, text);
    const comment = await conversations.reply(user, talk, text, more);
    return { post, comment };
  }
  const comment = await comments.create({
    ...{ author: user, on: { id: post.id }, text, warning, language, ...more },
    ...(parent && { parentGuid: parent.guid }),
  });
  return { post, comment };
}

async function startTalk(
  { conversations }: MastodonDeps,
  author: SignedIn,
  personIds: readonly PersonId[],
  status: NewStatus,
  attach: Submitted["note"],
): Promise<Writing> {
  if (status.poll || status.quoteId !== null)
    throw invalid("A private message has no poll and no quote");
  const { text, warning, photoIds } = status;
  const post = await conversations.start({
    ...{ author, personIds, text, photoIds, isTextOptional: true, attach },
    subject: warning ?? "",
  });
  return { post, comment: null };
}

async function publish(
  deps: MastodonDeps,
  author: SignedIn,
  status: NewStatus,
  { app, note }: Submitted,
): Promise<Post> {
  const { posts, polls, quotes } = deps;
  const { poll } = status;
  const ask = poll && polls.ask({ ...poll, endsAt: endOfPoll(deps, poll) });
  const quote =
    status.quoteId === null
      ? undefined
      : quotes.quote(author, {
          id: await rootOf(deps, status.quoteId, author),
        });
  return posts.publish({
    author,
    text: status.text,
    audience: await audienceOfStatus(deps, author, status),
    nsfw: status.isSensitive,
    warning: status.warning,
    language: status.language,
    quotableBy: status.quotableBy,
    photoIds: status.photoIds,
    isTextOptional: true,
    ...(app && { providerName: app.name }),
    attach: attachAll(ask ?? undefined, quote, note),
  });
}

/** A quote of a reshare is one of what it reshares. */
async function rootOf(
  deps: MastodonDeps,
  id: number,
  viewer: SignedIn,
): Promise<PostId> {
  const { post, comment } = await getOriginal(deps, id, viewer);
  if (comment) throw invalid("A reply cannot be quoted");
  return post.id;
}
