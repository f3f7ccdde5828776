import type { PostLocation } from "../../../features/posts/index.ts";
import { html, type Html } from "../../kit/html.ts";
import { pageTexts } from "../../languages/texts.ts";

/**
 * The place of a post: its name, or else its coordinates. No map is embedded:
 * its server would learn who reads which post.
 */
export function locationView({ address, lat, lng }: PostLocation): Html {
  const position = `${lat}, ${lng}`;
  return html`<p class="quiet location">
    ${pageTexts.post.written}
    <span title="${position}" dir="auto"
      >${address === "" ? position : address}</span
    >
  </p>`;
}
