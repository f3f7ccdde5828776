import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import { emptyListView } from "../kit/components/notices-view.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView, hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { avatarView, handleView, nameView } from "../kit/person-view.ts";
import { contactTexts, pageTexts } from "../languages/texts.ts";
import { marksView } from "../people/people-view.ts";
import { ASPECTS, PEOPLE, aspectPath } from "../session/places.ts";
import { membersPath, type Candidate, type Members } from "./members.ts";

const texts = contactTexts.aspect;

/** Characters in the name of an aspect. */
const MAX_NAME_LENGTH = 255;

/** The user's aspects in their order. @param refused a new one, and its fault */
export function aspectsView(
  session: Session,
  aspects: readonly Aspect[],
  refused?: { readonly fault: string; readonly name: string },
): Html {
  return html`<h1>${texts.title}</h1>
    ${alertView(refused ? [refused.fault] : [])}
    <p class="quiet">${texts.about}</p>
    ${
      aspects.length > 0 &&
      html`<form method="post" action="${ASPECTS}">
        ${csrfField(session)}
        <ol class="people order">
          ${aspects.map((aspect, at) => listedView(aspect, at, aspects.length))}
        </ol>
      </form>`
    }
    <section aria-labelledby="new">
      <h2 id="new">${texts.new}</h2>
      ${nameForm(session, ASPECTS, refused?.name ?? "", texts.create)}
    </section>
    <p><a href="${PEOPLE}">${contactTexts.title}</a></p>`;
}

function listedView(
  { id, name, memberCount }: Aspect,
  at: number,
  count: number,
): Html {
  const step = (to: "earlier" | "later", sign: string) =>
    html`<button
      class="second"
      formaction="${aspectPath(id)}/${to}"
      aria-label="${texts.move[to](name)}"
    >
      ${sign}
    </button>`;
  return html`<li id="aspect-${id}">
    <p>
      <a href="${aspectPath(id)}"><bdi>${name}</bdi></a>
      <span class="quiet">${pageTexts.write.members(memberCount)}</span>
    </p>
    ${at > 0 && step("earlier", "↑")} ${at < count - 1 && step("later", "↓")}
  </li>`;
}

function nameForm(
  session: Session,
  action: string,
  name: string,
  label: string,
): Html {
  return html`<form method="post" action="${action}" class="stacked">
    ${csrfField(session)}
    <p>
      <label for="name">${texts.name}</label>
      <input
        id="name"
        name="name"
        required
        maxlength="${MAX_NAME_LENGTH}"
        value="${name}"
        autocomplete="off"
      />
    </p>
    <p class="actions"><button>${label}</button></p>
  </form>`;
}

/** One aspect: its name, its posts and its members. */
export function aspectView(
  session: Session,
  aspect: Aspect,
  { isAll, people }: Members,
  fault: string | undefined,
): Html {
  const { id, name } = aspect;
  const path = aspectPath(id);
  const tab = (all: boolean, label: string) => ({
    path: membersPath(id, all),
    label,
    isChosen: all === isAll,
  });
  return html`<h1><bdi>${name}</bdi></h1>
    ${alertView(fault === undefined ? [] : [fault])}
    <p><a href="/home?aspect=${id}">${texts.posts}</a></p>
    <section aria-labelledby="members">
      <h2 id="members">${texts.members}</h2>
      ${tabLinks(texts.shown, [tab(false, texts.inIt), tab(true, texts.all)])}
      ${
        people.items.length === 0
          ? emptyMembersView(isAll, id)
          : membersForm(session, path, people.items, isAll)
      }
      ${paginationView(people, {
        previous: contactTexts.earlier,
        next: contactTexts.later,
      })}
    </section>
    <section aria-labelledby="change">
      <h2 id="change">${texts.change}</h2>
      ${nameForm(session, `${path}/rename`, name, texts.rename)}
      ${exclusiveForm(session, aspect)}
      <p><a href="${path}/delete">${texts.delete}</a></p>
    </section>
    <p><a href="${ASPECTS}">${texts.title}</a></p>`;
}

/** Its members' posts are in Home as well, or only in the aspect. */
function exclusiveForm(session: Session, { id, exclusive }: Aspect): Html {
  const words = texts.home;
  return html`<form method="post" action="${aspectPath(id)}/home">
    ${csrfField(session)}
    ${hiddenField("exclusive", exclusive ? "false" : "true")}
    <p class="quiet">${exclusive ? words.isLeftOut : words.isThere}</p>
    <p class="actions">
      <button class="second">${exclusive ? words.show : words.leaveOut}</button>
    </p>
  </form>`;
}

function emptyMembersView(isAll: boolean, id: Aspect["id"]): HtmlValue {
  return isAll
    ? emptyListView(texts.nobodyKnown, [[`${PEOPLE}#q`, contactTexts.find]])
    : emptyListView(contactTexts.noMembers, [
        [membersPath(id, true), texts.addPeople],
        [`${PEOPLE}#q`, contactTexts.find],
      ]);
}

function membersForm(
  session: Session,
  path: string,
  candidates: readonly Candidate[],
  isAll: boolean,
): Html {
  return html`<form method="post" action="${path}/members">
    ${csrfField(session)} ${isAll && hiddenField("all", "true")}
    <ul class="people">
      ${candidates.map(candidateView)}
    </ul>
    <p class="quiet">${texts.removedAbout}</p>
    <p class="actions"><button>${texts.save}</button></p>
  </form>`;
}

function candidateView({ person, contact, isMember }: Candidate): Html {
  return html`<li>
    ${hiddenField("shown", person.id)}
    <label class="choice">
      <input
        type="checkbox"
        name="member"
        value="${person.id}"
        ${isMember && html`checked`}
      />
      ${avatarView(person, 48)}
      <span>
        <strong>${nameView(person)}</strong>
        <span class="quiet">${handleView(person)}</span>
        ${marksView(person, contact)}
      </span>
    </label>
  </li>`;
}
