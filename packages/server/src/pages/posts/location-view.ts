import type { PostLocation } from "../../features/posts/index.ts";
import { html, type Html } from "../kit/html.ts";
import { englishPageTexts } from "../kit/texts.ts";

/** Where a post was written: in words, else in degrees. No map is asked: it would learn who reads what. */
export function locationView({ address, lat, lng }: PostLocation): Html {
  const position = `${lat}, ${lng}`;
  return html`<p class="quiet location">
    ${englishPageTexts.post.written}
    <span title="${position}" dir="auto"
      >${address === "" ? position : address}</span
    >
  </p>`;
}
