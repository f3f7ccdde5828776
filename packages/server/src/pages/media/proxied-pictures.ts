import type { FastifyInstance } from "fastify";
import { escapeHtml } from "../../lib/html/html-cleaner.ts";
import type { PagesDeps } from "../kit/deps.ts";
import { webAddress } from "../kit/html.ts";

/**
 * In pages and cleaned texts `<` and `>` occur as markup only, and attributes
 * are in double quotes.
 */
const PICTURE = /<img\s[^>]*>/g;
const ATTRIBUTE = /(\s[a-z-]+)="([^"]*)"/g;

/**
 * Lets browsers load every picture from this server. It is done for whole pages
 * in one place, so that no view and no text can forget it.
 * @param page as `kit/html.ts` writes it
 */
export function proxyPictures(
  page: string,
  { addressOf }: Pick<PagesDeps["remoteMedia"], "addressOf">,
): string {
  return page.replace(PICTURE, (picture) =>
    picture.replace(ATTRIBUTE, (attribute, name: string, value: string) => {
      if (name.trim() !== "src") return attribute;
      const url = webAddress(unescapeHtml(value));
      return url === undefined
        ? attribute
        : `${name}="${escapeHtml(addressOf(url))}"`;
    }),
  );
}

/** Does so for every page of this scope. */
export function proxyPicturesOfPages(
  scope: FastifyInstance,
  { remoteMedia }: Pick<PagesDeps, "remoteMedia">,
): void {
  scope.addHook("onSend", async (_request, reply, payload) => {
    const type = String(reply.getHeader("content-type"));
    return typeof payload === "string" && type.startsWith("text/html")
      ? proxyPictures(payload, remoteMedia)
      : payload;
  });
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The inverse of `escapeHtml`. */
export function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:amp|lt|gt|quot|#39);/g,
    (entity) => CHARACTERS[entity] ?? entity,
  );
}
