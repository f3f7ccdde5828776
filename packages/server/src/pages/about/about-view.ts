import type { Person } from "../../features/people/index.ts";
import {
  pathOfPicture,
  type ShownServer,
} from "../../features/server-profile/index.ts";
import type { PreviewImage } from "../kit/layout.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { personItem } from "../kit/person-view.ts";
import { aboutTexts as texts } from "../languages/texts.ts";
import { TERMS } from "../session/places.ts";

export const ABOUT = "/about";
export const PRIVACY = "/about/privacy";

/** The program of this server, with its source. */
const SOURCE = "https://www.npmjs.com/package/kith";

const FACTS = [
  ...(["writings", "audiences", "secrets", "access"] as const),
  ...(["addresses", "strangers", "public", "leaving"] as const),
] as const;

/** The data of the page. */
export type About = {
  readonly description: HtmlValue;
  readonly rules: HtmlValue;
  readonly contact: Person | undefined;
  readonly usage: { readonly people: number; readonly posts: number };
};

export function aboutView(
  server: ShownServer,
  { description, rules, contact, usage }: About,
): Html {
  return html`${pictureView(server)} ${description}
    <section aria-labelledby="rules">
      <h2 id="rules">${texts.rules}</h2>
      ${rules ?? html`<p class="quiet">${texts.noRules}</p>`}
    </section>
    ${contactSection(contact, server)}
    <section aria-labelledby="more">
      <h2 id="more">${texts.more}</h2>
      <ul>
        <li><a href="${PRIVACY}">${texts.privacyLink}</a></li>
        ${server.terms !== "" && html`<li><a href="${TERMS}">${texts.terms}</a></li>`}
        <li>${texts.people(usage.people)}, ${texts.posts(usage.posts)}</li>
        <li>
          ${texts.software}
          <a href="${SOURCE}" rel="noopener noreferrer">${texts.source}</a>
        </li>
        <li><a href="/api/docs">${texts.api}</a></li>
        <li>${texts.feeds}</li>
      </ul>
    </section>`;
}

/** The picture of the server: decoration, since its name stands beside it. */
export function pictureView({
  picture,
}: Pick<ShownServer, "picture">): HtmlValue {
  return (
    picture &&
    html`<p>
      <img
        class="server-picture"
        src="${pathOfPicture(picture, "scaled_full")}"
        width="${picture.width}"
        height="${picture.height}"
        alt=""
      />
    </p>`
  );
}

/** The picture of the server for previews of its start page. */
export function previewOfServer(
  { baseUrl }: { readonly baseUrl: string },
  { picture }: Pick<ShownServer, "picture">,
): PreviewImage | undefined {
  if (!picture) return undefined;
  const { width, height } = picture;
  const url = baseUrl + pathOfPicture(picture);
  return { url, width, height, isLarge: true };
}

/** The people behind the server, if they say who they are. */
export function contactSection(
  contact: Person | undefined,
  { contactMail }: Pick<ShownServer, "contactMail">,
): HtmlValue {
  if (!contact && contactMail === "") return undefined;
  return html`<section aria-labelledby="contact">
    <h2 id="contact">${texts.contact}</h2>
    ${
      contact &&
      html`<ul class="people">
        ${personItem(contact)}
      </ul>`
    }
    ${
      contactMail !== "" &&
      html`<p><a href="mailto:${contactMail}">${contactMail}</a></p>`
    }
  </section>`;
}

/** @param own the words of the admins; the facts below hold in any case */
export function privacyPageView(own: HtmlValue): Html {
  return html`${own}
    <section aria-labelledby="kept">
      <h2 id="kept">${texts.kept}</h2>
      <ul>
        ${FACTS.map((fact) => html`<li>${texts.facts[fact]}</li>`)}
      </ul>
    </section>`;
}
