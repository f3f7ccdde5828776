import type { Session } from "../../features/accounts/index.ts";
import type { Aspect } from "../../features/aspects/index.ts";
import type { Contact } from "../../features/contacts/index.ts";
import type { Person } from "../../features/people/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { actForm, hiddenField } from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue, partAttribute } from "../kit/html.ts";
import { contactTexts as texts, messageTexts } from "../languages/texts.ts";
import { choicesForm } from "./choices-view.ts";
import { answerForms } from "./request-view.ts";

/** The visitor's contact with a person, for the page of that person. */
export type ContactOnPage = {
  readonly session: Session;
  readonly contact: Contact | undefined;
  /** The visitor's aspects, and those which hold the person. */
  readonly aspects: readonly Aspect[];
  readonly holding: readonly Aspect[];
  readonly isBlocked: boolean;
  readonly isIgnored: boolean;
  /** Does the person wait for the visitor's answer to a request? */
  readonly isAsking: boolean;
  /** The way to report the person. */
  readonly report: HtmlValue;
};

/** Forms to follow a person, and to choose the aspects that hold them. */
export function contactView(person: Person, on: ContactOnPage): Html {
  const { session, contact, aspects, holding } = on;
  const path = `/people/${encodeURIComponent(person.guid)}`;
  if (on.isBlocked)
    return html`<section
      class="contact"
      aria-label="${texts.more}"
      ${partAttribute(path)}
    >
      <p>${texts.blocked}</p>
      ${actForm(session, `${path}/unblock`, undefined, texts.unblock)}
      ${on.report && html`<p>${on.report}</p>`}
    </section>`;
  const isHeld = holding.length > 0;
  return html`<section
    class="contact"
    aria-label="${texts.inAspects}"
    ${partAttribute(path)}
  >
    ${contact?.sharing === true && html`<p class="quiet">${texts.followsYou}</p>`}
    ${
      on.isAsking &&
      html`<p>${texts.asksToFollow}</p>
        ${answerForms(session, person)}`
    }
    ${isHeld && answerView(person, contact)}
    ${actForm(
      session,
      `${path}/${isHeld ? "unfollow" : "follow"}`,
      undefined,
      isHeld ? texts.unfollow : texts.follow,
    )}
    ${aspects.length > 0 && aspectsForm(on, path)}
    ${contact?.following === true && choicesForm(session, path, contact.choices)}
    <p>
      <a href="/messages/new?to=${encodeURIComponent(person.handle)}"
        >${messageTexts.writeTo}</a
      >
    </p>
    ${distanceView(on, path)}
  </section>`;
}

/** The person's answer to the visitor's own request. */
function answerView(
  { profile }: Person,
  contact: Contact | undefined,
): HtmlValue {
  if (!contact?.following || contact.isConfirmed) return undefined;
  if (contact.isRefused)
    return html`<p class="quiet">${texts.requestRefused}</p>`;
  return profile.locked && html`<p class="quiet">${texts.requested}</p>`;
}

function distanceView(
  { session, contact, isIgnored, report }: ContactOnPage,
  path: string,
): HtmlValue {
  return html`${isIgnored && html`<p class="quiet">${texts.ignored}</p>`}
    <details>
      <summary>${texts.more}</summary>
      ${
        contact?.sharing === true &&
        html`<p class="quiet">${texts.removeFollowerAbout}</p>
          ${actForm(session, `${path}/remove_follower`, undefined, texts.removeFollower)}`
      }
      <p class="quiet">${texts.ignoreAbout}</p>
      ${
        isIgnored
          ? actForm(session, `${path}/unignore`, undefined, texts.unignore)
          : actForm(session, `${path}/ignore`, undefined, texts.ignore)
      }
      <p class="quiet">${texts.blockAbout}</p>
      ${actForm(session, `${path}/block`, undefined, texts.block)}
      ${report && html`<p>${report}</p>`}
    </details>`;
}

/** The aspects that hold the person, and all of them as boxes. */
function aspectsForm(
  { session, aspects, holding }: ContactOnPage,
  path: string,
): Html {
  const ids = new Set(holding.map(({ id }) => id));
  const names = holding.map(({ name }, at) => [
    at > 0 && ", ",
    html`<bdi>${name}</bdi>`,
  ]);
  return html`<details>
    <summary>
      ${holding.length > 0 ? html`${texts.inAspects}: ${names}` : texts.inNone}
      <span class="quiet">${texts.change}</span>
    </summary>
    <form method="post" action="${path}/aspects">
      ${csrfField(session)}
      <ul class="plain">
        ${aspects.map(
          ({ id, name }) =>
            html`<li>
              ${hiddenField("shown", id)}
              <label class="choice">
                <input
                  type="checkbox"
                  name="aspect"
                  value="${id}"
                  ${ids.has(id) && html`checked`}
                />
                <bdi>${name}</bdi>
              </label>
            </li>`,
        )}
      </ul>
      <p class="actions"><button>${texts.saveAspects}</button></p>
    </form>
  </details>`;
}
