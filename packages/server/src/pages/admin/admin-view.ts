import { alertView } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import type { AdminPage } from "./admin-page.ts";
import type { NoticeName } from "../languages/en/server/admin.ts";
import { adminTexts as texts } from "../languages/texts.ts";

/** The frame of every page below /admin. */
export function adminView(
  page: Pick<AdminPage, "path" | "title">,
  pages: readonly AdminPage[],
  main: Html,
  {
    notice,
    fault,
  }: { readonly notice?: NoticeName | undefined; readonly fault?: string },
): Html {
  return html`<nav class="sections" aria-label="${texts.navigation}">
      ${pages.map((one) => navigationLink(one, page.path))}
    </nav>
    <h1>${page.title}</h1>
    ${
      notice &&
      html`<p class="notice" role="status">${texts.notices[notice]}</p>`
    }
    ${alertView(fault === undefined ? [] : [fault])} ${main}`;
}

function navigationLink({ path, title }: AdminPage, here: string): Html {
  return html`<a href="${path}" ${path === here && html`aria-current="page"`}
    >${title}</a
  > `;
}
