import { displayName, type Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { icon } from "../kit/icons.ts";
import { detailTexts, pageTexts } from "../languages/texts.ts";
import { postPath, type Acting } from "./act-view.ts";

/**
 * The audience of a post. Its author reads to whom it is limited, and is led to those who see
 * it; readers learn only that it is limited.
 */
export function postAudienceChip(
  post: Post,
  author: Person | undefined,
  acting: Acting | undefined,
): Html {
  const isOwn = acting?.session.user.personId === post.personId;
  const words = isOwn ? ownWords(post) : readersWords(post, author);
  const kind = kindOf(post, isOwn);
  const label = html`${icon(post.public ? "globe" : "lock")}<span
      >${words}</span
    >`;
  if (isOwn && !post.public)
    return html`<a class="chip ${kind}" href="${postPath(post.guid)}/deliveries"
      >${label}</a
    >`;
  const hint = !post.public && html`title="${pageTexts.post.limitedHint}"`;
  return html`<span class="chip ${kind}" ${hint}>${label}</span>`;
}

/** The class of the chip, which gives it its colour. */
function kindOf({ public: isPublic, limitedTo }: Post, isOwn: boolean): string {
  if (isPublic) return "everyone";
  return isOwn && limitedTo === "self" ? "self" : "limited";
}

function readersWords(post: Post, author: Person | undefined): HtmlValue {
  if (post.public) return publicWords(post);
  const by = author && detailTexts.audience.by(displayName(author));
  // The name stands beside it already.
  return html`${pageTexts.post.limited}${by !== undefined && html`<span class="unseen"> ${by}</span>`}`;
}

function publicWords({ listed }: Post): string {
  return listed ? pageTexts.post.everyone : detailTexts.audience.unlisted;
}

/** The audience by name, as its author knows it. */
export function ownWords(post: Post): HtmlValue {
  const { limitedTo, aspects } = post;
  if (post.public) return publicWords(post);
  if (limitedTo === null) return pageTexts.post.limited;
  if (limitedTo === "aspects" && aspects.length > 0)
    return aspects.map(
      ({ name }, at) => html`${at > 0 && ", "}<bdi>${name}</bdi>`,
    );
  return detailTexts.audience[limitedTo];
}
