import type {
  ListedReaction,
  ReactionCount,
} from "../../features/reactions/index.ts";
import type { PersonId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { html, webAddress, type Html, type HtmlValue } from "../kit/html.ts";
import { nameView, personPath } from "../kit/person-view.ts";
import { pageTexts } from "../languages/texts.ts";

const texts = pageTexts.post;

/** The emoji reactions to a post or comment, with their numbers. */
export function reactionsView(
  counts: readonly ReactionCount[] | undefined,
): HtmlValue {
  if (!counts || counts.length === 0) return undefined;
  return html`<ul class="reactions" aria-label="${texts.reactions}">
    ${counts.map((it) => html`<li>${emojiView(it)} ${it.count}</li>`)}
  </ul>`;
}

/** The people who reacted, on the page of a post. */
export function reactingPeopleView(
  reactions: readonly ListedReaction[],
  people: ReadonlyMap<PersonId, Person>,
): HtmlValue {
  if (reactions.length === 0) return undefined;
  return html`<details class="reacting">
    <summary>${texts.whoReacted}</summary>
    <ul>
      ${reactions.map((reaction) => {
        const person = people.get(reaction.personId);
        return (
          person &&
          html`<li>
            ${emojiView(reaction)}
            <a href="${personPath(person)}">${nameView(person)}</a>
          </li>`
        );
      })}
    </ul>
  </details>`;
}

function emojiView({
  emoji,
  emojiUrl,
}: Pick<ReactionCount, "emoji" | "emojiUrl">): Html {
  const src = emojiUrl === null ? undefined : webAddress(emojiUrl);
  return src === undefined
    ? html`<span>${emoji}</span>`
    : html`<img class="emoji" src="${src}" alt="${emoji}" title="${emoji}" />`;
}
