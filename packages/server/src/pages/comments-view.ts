import { setImmediate } from "node:timers/promises";
import type { Comment } from "../features/comments/index.ts";
import type { PersonId } from "../features/ids.ts";
import type { Person } from "../features/people/index.ts";
import { html, type Html } from "./html.ts";
import { neighboursView } from "./list-view.ts";
import type { Part } from "./page-input.ts";
import { avatarView, handleView, nameView, personPath } from "./person-view.ts";
import { renderText, type Mentioned } from "./post-text.ts";
import { english } from "./texts.ts";
import { timeView } from "./time-view.ts";
import type { PagesContext } from "./visitor.ts";

const texts = english.post;

type Surroundings = {
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly mentioned: Mentioned;
};

/** A post with its comments, oldest first. */
export async function commentsView(
  context: PagesContext,
  title: string,
  post: Html | undefined,
  comments: Part<Comment>,
  around: Surroundings,
): Promise<Html> {
  const views: Html[] = [];
  for (const comment of comments.items) {
    views.push(commentView(context, comment, around));
    // A text can take its time: others have their turn before the next one.
    await setImmediate();
  }
  return html`<h1 class="unseen">${title}</h1>
    ${post}
    <section aria-labelledby="comments">
      <h2 id="comments">${texts.commentsTitle}</h2>
      ${
        comments.items.length === 0 &&
        html`<p class="quiet">${texts.noComments}</p>`
      }
      ${views}
      ${neighboursView(comments, {
        previous: english.earlierComments,
        next: english.laterComments,
      })}
    </section>`;
}

function commentView(
  context: PagesContext,
  comment: Comment,
  { people, mentioned }: Surroundings,
): Html {
  const author = people.get(comment.personId);
  return html`<article class="comment" id="${comment.guid}">
    <header>
      ${author && avatarView(author, 48)}
      <div>
        <p class="name">
          ${
            author &&
            html`<a href="${personPath(author)}">${nameView(author)}</a>`
          }
        </p>
        <p class="quiet apart">
          ${author && handleView(author)}
          ${timeView(comment.createdAt, context.clock.now())}
        </p>
      </div>
    </header>
    <div class="text" dir="auto">
      ${renderText(context, comment.text, mentioned)}
    </div>
  </article>`;
}
