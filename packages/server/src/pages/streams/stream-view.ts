import type { Session } from "../../features/accounts/index.ts";
import type { UserStreamId } from "../../features/ids.ts";
import type { UserStream } from "../../features/streams/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { actForm, alertView, lineField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import type { Part } from "../kit/page-input.ts";
import { pageTexts, streamTexts as texts } from "../languages/texts.ts";

export const STREAMS = "/streams";

export function streamPath(id: UserStreamId): string {
  return `${STREAMS}/${id}`;
}

/** A stream as it is being defined. */
export type StreamDraft = {
  readonly name: string;
  readonly tags: string;
  readonly people: string;
  readonly expression: string;
  readonly fault?: string;
};

export const NEW_STREAM: StreamDraft = {
  ...{ name: "", tags: "", people: "", expression: "" },
};

/** The user's streams, and the form for one more. */
export function streamsView(
  session: Session,
  streams: Part<UserStream>,
  draft: StreamDraft,
): Html {
  return html`<h1>${texts.title}</h1>
    <p class="quiet">${texts.about}</p>
    ${
      streams.items.length === 0
        ? html`<p>${texts.none}</p>`
        : html`<ul class="filters">
            ${streams.items.map(streamItem)}
          </ul>`
    }
    ${paginationView(streams)}
    <h2>${texts.create}</h2>
    ${streamForm(session, draft)}`;
}

function streamItem({ id, name, tags, people, expression }: UserStream): Html {
  const parts = [tags, people, expression].filter((it) => it.trim() !== "");
  return html`<li>
    <p>
      <a href="${streamPath(id)}"><bdi>${name}</bdi></a>
      <span class="quiet"><bdi>${parts.join(" · ")}</bdi></span>
    </p>
  </li>`;
}

function streamForm(session: Session, draft: StreamDraft): Html {
  return html`<form method="post" action="${STREAMS}" class="stacked">
    ${csrfField(session)}
    ${alertView(draft.fault === undefined ? [] : [draft.fault])}
    ${lineField("name", draft.name, {
      label: texts.name,
      attributes: html`required maxlength="255" dir="auto"`,
    })}
    ${lineField("tags", draft.tags, {
      ...{ label: texts.tags, hint: texts.tagsHint },
    })}
    ${lineField("people", draft.people, {
      ...{ label: texts.people, hint: texts.peopleHint },
      attributes: html`autocapitalize="none" spellcheck="false"`,
    })}
    ${lineField("expression", draft.expression, {
      ...{ label: texts.expression, hint: texts.expressionHint },
      attributes: html`maxlength="1000" autocapitalize="none" spellcheck="false"`,
    })}
    <p class="actions"><button>${texts.save}</button></p>
  </form>`;
}

/** The posts of a stream. */
export function streamPostsView(
  session: Session,
  { id, name }: UserStream,
  posts: Part<Html>,
): Html {
  return html`<h1 dir="auto">${name}</h1>
    ${
      posts.items.length === 0
        ? html`<section class="empty"><p>${texts.empty}</p></section>`
        : posts.items
    }
    ${paginationView(posts, {
      previous: pageTexts.newerPosts,
      next: pageTexts.olderPosts,
    })}
    ${actForm(session, `${streamPath(id)}/delete`, undefined, texts.delete)}
    <p><a href="${STREAMS}">${texts.back}</a></p>`;
}
