import type { PollResult } from "../../features/polls/index.ts";
import { html, type Html } from "../kit/html.ts";
import { englishPageTexts } from "../kit/texts.ts";

const texts = englishPageTexts.poll;

/** A poll with its current result, read-only. */
export function pollView({ poll, votes }: PollResult): Html {
  return html`<section dir="auto">
    ${poll.question && html`<p><strong>${poll.question}</strong></p>`}
    <ul>
      ${poll.answers.map(
        ({ id, text }) =>
          html`<li>
            <bdi>${text}</bdi>
            <span class="quiet">${texts.votes(votes.get(id) ?? 0)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}
