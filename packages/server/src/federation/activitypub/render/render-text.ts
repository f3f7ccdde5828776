import {
  displayName,
  usernameOf,
  type Person,
} from "../../../features/people/index.ts";
import { findProfileUrl } from "../../remote-people/proven-origins.ts";
import { formatHandle, parseHandle } from "../../../lib/handle.ts";
import {
  mentionsIn,
  renderMarkdown,
  tagsIn,
} from "../../../lib/markdown/markdown.ts";
import type { LinkedPeople } from "../../outbound/content.ts";
import type { Uris } from "../records/uris.ts";

type Tag = { type: "Mention" | "Hashtag"; name: string; href: string };

/** A text of ours as ActivityPub has it. */
type RenderedText = {
  readonly html: string;
  readonly tags: Tag[];
  /** The actor ids of the people whom the text mentions. */
  readonly mentioned: string[];
};

/** Renders Markdown to HTML, with links for mentioned people who are known here. */
export function renderText(
  uris: Uris,
  text: string,
  linked: LinkedPeople,
): RenderedText {
  const known = new Map<string, { person: Person; uri: string }>();
  for (const mention of mentionsIn(text)) {
    const handle = parseHandle(mention.handle);
    const person = handle && linked.get(formatHandle(handle));
    const uri = person && uris.ofPerson(person);
    if (person && uri) known.set(person.handle, { person, uri });
  }
  const tagHref = (tag: string) =>
    `${uris.baseUrl}/tags/${encodeURIComponent(tag)}`;
  const html = renderMarkdown(text, {
    tagHref,
    mention: (handle, name) => {
      const found = known.get(handle.toLowerCase());
      return (
        found && {
          href: pageOf(uris, found.person) ?? found.uri,
          label: name ?? displayName(found.person),
        }
      );
    },
  });
  const mentions = [...known].map(([handle, { uri }]): Tag => ({
    type: "Mention",
    name: `@${handle}`,
    href: uri,
  }));
  const hashtags = tagsIn(text).map((tag): Tag => ({
    type: "Hashtag",
    name: `#${tag}`,
    href: tagHref(tag),
  }));
  return {
    html,
    tags: [...mentions, ...hashtags],
    mentioned: mentions.map(({ href }) => href),
  };
}

/** The page of a person, which a browser can show. */
function pageOf(uris: Uris, person: Person): string | undefined {
  return person.userId === null
    ? (findProfileUrl(person) ?? undefined)
    : uris.profilePage(usernameOf(person));
}
