import type {
  AudiencePreview,
  Shortfall,
} from "../../features/audiences/index.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { nameView } from "../kit/person-view.ts";
import { composeTexts, pageTexts } from "../languages/texts.ts";

const texts = composeTexts.reach;
const MAX_NAMES = 3;

/** The people who would get the post, and the limits that its author may not expect. */
export function reachView(preview: AudiencePreview): Html {
  return html`<div class="reach" role="status">
    <p>${sentence(preview)}</p>
    ${preview.notKept.map(shortfallView)}
  </div>`;
}

/** The script keeps what stands there true while the form is filled in. */
export function reachPlace(preview: AudiencePreview | undefined): Html {
  return html`<div data-reach>${preview && reachView(preview)}</div>`;
}

export function publishButton(
  preview: AudiencePreview | undefined,
  attributes: Html,
): Html {
  const usual = pageTexts.write.publish;
  const label = publishLabel(preview);
  return html`<button ${attributes} data-publish="${usual}">${label}</button>`;
}

/** The words of the button. */
export function publishLabel(preview: AudiencePreview | undefined): string {
  if (!preview) return pageTexts.write.publish;
  const { audience, people } = preview;
  if (audience.public) return composeTexts.publishToEveryone;
  if (audience.limitedTo === "self") return composeTexts.publishToMe;
  return composeTexts.publishTo(people.length);
}

function sentence({ audience, people, hosts }: AudiencePreview): HtmlValue {
  if (audience.public) return audience.listed ? texts.everyone : texts.unlisted;
  if (audience.limitedTo === "self") return texts.self;
  if (people.length === 0) return texts.nobody;
  const aspects = audience.aspects.map(({ name }) => html`<bdi>${name}</bdi>`);
  const isHere = people.some(({ userId }) => userId !== null);
  return html`<strong
      >${aspects.length > 0 && html`${separated(aspects)}: `}
      ${texts.people(people.length, hosts.length, isHere)}</strong
    >
    ${namesView(people)} ${texts.noReshare}`;
}

function namesView(people: AudiencePreview["people"]): Html {
  const named = people.slice(0, MAX_NAMES).map((it) => nameView(it));
  const rest = people.length - named.length;
  return html`${separated(named)}${rest > 0 && ` ${texts.more(rest)}`}.`;
}

function separated(parts: readonly Html[]): HtmlValue {
  return parts.map((part, at) => (at === 0 ? part : html`, ${part}`));
}

function shortfallView(shortfall: Shortfall): HtmlValue {
  switch (shortfall.kind) {
    case "nobody":
      return undefined;
    case "mentions":
    case "unreachable":
      return html`<p>
        ${composeTexts.shortfalls[shortfall.kind]}
        ${namesView(shortfall.people)}
      </p>`;
    case "listed":
    case "edits":
    case "recordings":
      return html`<p>
        ${composeTexts.shortfalls[shortfall.kind]} ${shortfall.hosts.join(", ")}
      </p>`;
  }
}
