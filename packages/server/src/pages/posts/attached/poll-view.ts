import { hasEnded, type PollResult } from "../../../features/polls/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { timestamp } from "../../../lib/time/clock.ts";
import { csrfField } from "../../kit/csrf.ts";
import {
  alertView,
  hiddenField,
  notesOf,
  notesView,
} from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { currentLanguage } from "../../languages/reader.ts";
import { pageTexts } from "../../languages/texts.ts";
import { dayView } from "../../kit/time-view.ts";
import { postPath, type Acting } from "../act-view.ts";

const texts = pageTexts.poll;

/** A poll: a form for those who may still vote, or its current result. */
export function pollView(
  result: PollResult,
  post: Post,
  acting: Acting | undefined,
  now: Date,
): Html {
  const { poll, ownVotes, voters } = result;
  const isOver = hasEnded(poll, timestamp(now));
  const mayVote = acting !== undefined && ownVotes.length === 0 && !isOver;
  return html`<section class="poll" dir="auto">
    ${alertView(acting?.voteFault === undefined ? [] : [acting.voteFault])}
    ${poll.question && html`<p><strong>${poll.question}</strong></p>`}
    ${mayVote ? voteForm(result, post, acting) : resultView(result)}
    <p class="quiet">
      ${texts.voters(voters)}
      ${result.votes === null && html`· ${texts.hidden}`}
      ${
        poll.endsAt !== null &&
        html`· ${isOver ? texts.ended : texts.ends} ${dayView(poll.endsAt)}`
      }
    </p>
  </section>`;
}

function resultView({ poll, votes, voters, ownVotes }: PollResult): Html {
  const chosen = new Set(ownVotes);
  return html`<ul class="plain">
    ${poll.answers.map(({ id, guid, text }) => {
      const given = votes?.get(id) ?? 0;
      return html`<li>
        <bdi>${text}</bdi>
        <span class="quiet"
          >${[
            votes && `${texts.votes(given)} · ${percentOf(given, voters)}`,
            chosen.has(guid) && texts.chosen,
          ]
            .filter(Boolean)
            .join(" · ")}</span
        >
        ${votes && meter(given, voters)}
      </li>`;
    })}
  </ul>`;
}

/** Of the people who voted: with several answers each, the sum may be more than all. */
function percentOf(given: number, voters: number): string {
  const percent = new Intl.NumberFormat(currentLanguage(), {
    style: "percent",
  });
  return percent.format(given / Math.max(1, voters));
}

function meter(given: number, voters: number): Html {
  return html`<meter
    min="0"
    max="${Math.max(1, voters)}"
    value="${given}"
    aria-hidden="true"
  ></meter>`;
}

function voteForm(
  { poll, votes }: PollResult,
  { guid }: Post,
  { session, to, voteFault: fault }: Acting,
): Html {
  const { multiple, answers } = poll;
  const type = multiple ? "checkbox" : "radio";
  return html`<form method="post" action="${postPath(guid)}/vote">
    ${csrfField(session)} ${hiddenField("to", to)}
    <fieldset ${notesOf("vote", { fault })}>
      <legend class="quiet">
        ${multiple ? texts.chooseSeveral : texts.chooseOne}
      </legend>
      ${notesView("vote", { fault })}
      ${answers.map(
        (answer) =>
          html`<label class="choice">
            <input
              type="${type}"
              name="answer"
              value="${answer.guid}"
              ${!multiple && html`required`}
            />
            <span>
              <bdi>${answer.text}</bdi>
              ${
                votes &&
                html`<small class="quiet"
                  >${texts.votes(votes.get(answer.id) ?? 0)}</small
                >`
              }
            </span>
          </label>`,
      )}
    </fieldset>
    ${voteButton()}
  </form>`;
}

function voteButton(): HtmlValue {
  return html`<p class="actions">
    <button>${texts.vote}</button> <small>${texts.isFinal}</small>
  </p>`;
}
