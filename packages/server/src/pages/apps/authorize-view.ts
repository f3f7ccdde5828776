import type { Session } from "../../features/accounts/index.ts";
import {
  OUT_OF_BAND,
  withoutImplied,
  type App,
  type Authorization,
  type OauthError,
  type Scope,
} from "../../features/oauth/index.ts";
import { csrfField } from "../kit/csrf.ts";
import { alertView } from "../kit/form-fields.ts";
import { html, webAddress, type Html } from "../kit/html.ts";
import { appTexts } from "../languages/texts.ts";
import {
  AUTHORIZE,
  authorizePath,
  type AppRequest,
} from "./authorize-request.ts";

const texts = appTexts.authorize;

/** Asks the user whether an app may use the account. */
export function authorizeView(
  session: Session,
  page: {
    readonly asked: AppRequest;
    readonly authorization: Authorization;
    /** Those that the user can give. */
    readonly scopes: readonly Scope[];
    /** Of local handles. */
    readonly host: string;
    readonly isExpired: boolean;
  },
): Html {
  const { asked, authorization, scopes, host, isExpired } = page;
  const { app, redirectUri } = authorization;
  const other = authorizePath(asked, { force_login: "true" });
  const asksToAdminister = scopes.some((scope) => scope.startsWith("admin:"));
  return html`<h1>${texts.title}</h1>
    ${alertView(isExpired ? [texts.expired] : [])}
    <p class="lead">
      <strong><bdi>${app.name}</bdi></strong> ${texts.asks}.
    </p>
    ${siteView(app)}
    <p>${texts.can}</p>
    ${scopesView(scopes)}
    ${asksToAdminister && html`<p class="notice">${texts.admin}</p>`}
    <p class="quiet">${texts.cannot}</p>
    <p>
      ${texts.account}: <strong>${session.user.username}@${host}</strong>.
      <a href="${other}">${texts.other}</a>
    </p>
    <p>${targetView(redirectUri)}</p>
    <form method="post" action="${AUTHORIZE}" class="stacked">
      ${csrfField(session)}
      ${Object.entries(asked.parameters).map(
        ([name, value]) =>
          html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <p class="actions">
        <button name="decision" value="allow">${texts.allow}</button>
        <button name="decision" value="deny" class="second">
          ${texts.deny}
        </button>
      </p>
    </form>`;
}

/** Scopes in plain words. */
export function scopesView(scopes: readonly Scope[]): Html {
  return html`<ul>
    ${withoutImplied(scopes).map(
      (scope) => html`<li>${appTexts.scopes[scope]}</li>`,
    )}
  </ul>`;
}

function siteView({ website }: App): Html {
  return website === null
    ? html`<p class="quiet">${texts.noSite}</p>`
    : html`<p>${texts.site} ${siteLink(website)}.</p>`;
}

/** The site that an app claims, shown by its host: the rest could look like another one. */
export function siteLink(website: string): Html {
  const url = URL.parse(website);
  return html`<a
    href="${webAddress(website)}"
    rel="nofollow noopener noreferrer"
    ><bdi>${url?.host}</bdi></a
  >`;
}

/** Where the answer goes: that is what an app cannot make up. */
function targetView(redirectUri: string): Html {
  if (redirectUri === OUT_OF_BAND) return html`${texts.showsCode}`;
  const [scheme = ""] = redirectUri.split(":", 1);
  const url = URL.parse(redirectUri);
  if (scheme.toLowerCase() === "http")
    return html`${texts.leadsTo} ${texts.program} (<bdi>${url?.host}</bdi>).`;
  const isWeb = scheme.toLowerCase() === "https";
  return html`${texts.leadsTo}
    <strong><bdi>${isWeb ? url?.host : `${scheme}:`}</bdi></strong
    >.`;
}

/** The code, where the person carries it to the app. */
export function codeView(code: string): Html {
  return html`<h1>${appTexts.code.title}</h1>
    <p>${appTexts.code.text}</p>
    <p>${appTexts.code.label}: <code class="secret">${code}</code></p>`;
}

export function deniedView(): Html {
  return html`<h1>${appTexts.denied.title}</h1>
    <p>${appTexts.denied.text}</p>`;
}

export function unknownView(missing: "app" | "redirect_uri"): Html {
  return html`<h1>${appTexts.unknown.title}</h1>
    <p>${appTexts.unknown[missing]}</p>`;
}

/**
 * The fault of an app. It receives the fault only if the person follows the link: otherwise
 * anybody could register an app to have this server redirect to any place.
 * @param target with the error; undefined if the app has no place for it
 */
export function refusedView(
  { name }: App,
  { message }: OauthError,
  target: string | undefined,
): Html {
  return html`<h1>${appTexts.refused.title}</h1>
    <p>
      <strong><bdi>${name}</bdi></strong>
    </p>
    <p>${appTexts.refused.text}</p>
    <p lang="en">${message}</p>
    ${
      target !== undefined &&
      html`<p>
        <a href="${target}" rel="nofollow">${appTexts.refused.back}</a>
      </p>`
    }`;
}
