import type { Session } from "../../features/accounts/index.ts";
import type {
  Conversation,
  PrivateMessage,
} from "../../features/conversations/index.ts";
import type { Person } from "../../features/people/index.ts";
import { foldedPictureFields } from "../kit/components/picture-fields.ts";
import { csrfField } from "../kit/csrf.ts";
import {
  actForm,
  alertView,
  lineField,
  notesOf,
  notesView,
  scriptedForm,
  textAreaField,
} from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { onceField } from "../session/write-once.ts";
import type { Part } from "../kit/page-input.ts";
import { avatarView, nameView, personPath } from "../kit/person-view.ts";
import { timeView } from "../kit/time-view.ts";
import { messageTexts as texts } from "../languages/texts.ts";
import {
  conversationPath,
  MESSAGES,
  NEW_MESSAGE,
  type MessageDraft,
} from "./message-draft.ts";

/** A conversation as the list shows it. */
export type ListedConversation = {
  readonly conversation: Conversation;
  /** Without the user. */
  readonly others: readonly Person[];
  readonly newest: PrivateMessage | undefined;
  /** The beginning of the newest message. */
  readonly words: string;
};

/** A message with its text as HTML. */
export type ShownMessage = {
  readonly message: PrivateMessage;
  readonly author: Person | undefined;
  readonly text: Html;
  readonly photos: Html | undefined;
};

export function conversationsView(
  list: Part<ListedConversation>,
  now: Date,
): Html {
  return html`<h1>${texts.title}</h1>
    <p class="quiet">${texts.about}</p>
    <p class="actions">
      <a class="button" href="${NEW_MESSAGE}">${texts.write}</a>
    </p>
    ${
      list.items.length === 0
        ? html`<p>${texts.none}</p>`
        : html`<ul class="notices">
            ${list.items.map((item) => listedView(item, now))}
          </ul>`
    }
    ${paginationView(list, { previous: texts.newer, next: texts.older })}`;
}

function listedView(
  { conversation, others, newest, words }: ListedConversation,
  now: Date,
): Html {
  const { guid, subject, unread, createdAt } = conversation;
  const [first] = others;
  const state = unread > 0 ? "notification unread" : "notification";
  return html`<li class="${state}">
    ${first && avatarView(first, 48)}
    <div>
      <p>
        <a href="${conversationPath(guid)}">${namesOf(others)}</a>
        ${unread > 0 && html`<span class="new">${texts.unread(unread)}</span>`}
        <span class="quiet"
          >${timeView(newest?.createdAt ?? createdAt, now)}</span
        >
      </p>
      ${subject !== null && html`<p dir="auto"><strong>${subject}</strong></p>`}
      <p class="quiet" dir="auto">${words}</p>
    </div>
  </li>`;
}

function namesOf(people: readonly Person[]): HtmlValue {
  if (people.length === 0) return texts.alone;
  return people.map((person, at) => html`${at > 0 && ", "}${nameView(person)}`);
}

/** A conversation: the earliest message of the page first. */
export function conversationView(
  session: Session,
  { conversation, others }: ListedConversation,
  messages: Part<ShownMessage>,
  { draft, now }: { readonly draft: MessageDraft; readonly now: Date },
): Html {
  const { guid, subject } = conversation;
  const path = conversationPath(guid);
  return html`<h1 dir="auto">${subject ?? texts.title}</h1>
    <p>${othersView(others)}</p>
    ${paginationView(
      { ...messages, previous: messages.next, next: messages.previous },
      { previous: texts.earlier, next: texts.later },
    )}
    ${messages.items.toReversed().map((item) => messageView(item, now))}
    <form
      method="post"
      action="${path}"
      class="stacked write"
      id="write"
      enctype="multipart/form-data"
      ${scriptedForm(session, path)}
    >
      ${formStart(session, draft)} ${textField(draft, texts.answer)}
      ${foldedPictureFields(draft, faultIn(draft, "photo"))}
      <p class="actions"><button>${texts.send}</button></p>
    </form>
    <details>
      <summary>${texts.leave}</summary>
      <p class="quiet">${texts.hideAbout}</p>
      ${actForm(session, `${path}/hide`, undefined, texts.hide)}
      <p class="quiet">${texts.leaveAbout}</p>
      ${actForm(session, `${path}/leave`, undefined, texts.leave)}
    </details>`;
}

function othersView(others: readonly Person[]): HtmlValue {
  if (others.length === 0) return texts.alone;
  return html`${texts.with}
  ${others.map(
    (person, at) =>
      html`${at > 0 && ", "}<a href="${personPath(person)}"
          >${nameView(person)}</a
        >`,
  )}`;
}

function messageView(
  { message, author, text, photos }: ShownMessage,
  now: Date,
): Html {
  return html`<article class="comment" id="${message.guid}">
    <header class="head">
      ${author && avatarView(author, 48)}
      <div>
        <p class="name">${author && nameView(author)}</p>
        <p class="quiet apart">${timeView(message.createdAt, now)}</p>
      </div>
    </header>
    <div class="text" dir="auto">${text}</div>
    ${photos}
  </article>`;
}

/** The form for a new conversation. */
export function newMessageView(session: Session, draft: MessageDraft): Html {
  const to = { hint: texts.toHint, fault: faultIn(draft, "to") };
  return html`<h1>${texts.write}</h1>
    <form
      method="post"
      action="${MESSAGES}"
      class="stacked write"
      enctype="multipart/form-data"
      ${scriptedForm(session, MESSAGES)}
    >
      ${formStart(session, draft)}
      <p>
        <label for="to">${texts.to}</label>
        <input
          id="to"
          name="to"
          required
          value="${draft.to}"
          autocapitalize="none"
          autocomplete="off"
          spellcheck="false"
          ${notesOf("to", to)}
        />
        ${notesView("to", to)}
      </p>
      ${lineField("subject", draft.subject, {
        ...{
          label: texts.subject,
          attributes: html`dir="auto" maxlength="255"`,
          fault: faultIn(draft, "subject"),
        },
      })}
      ${textField(draft, texts.text)}
      ${foldedPictureFields(draft, faultIn(draft, "photo"))}
      <p class="actions"><button>${texts.send}</button></p>
    </form>`;
}

function formStart(session: Session, { fault }: MessageDraft): HtmlValue {
  return [
    csrfField(session),
    onceField(),
    alertView(fault === undefined ? [] : [fault]),
  ];
}

function textField(draft: MessageDraft, label: string): Html {
  const fault = faultIn(draft, "text");
  return textAreaField("text", draft.text, { label, rows: 4, fault });
}

/** The words beside a field. */
function faultIn(
  { fault, faulty }: MessageDraft,
  field: MessageDraft["faulty"],
): string | undefined {
  return faulty === field ? fault : undefined;
}
