// Posts as real servers send them: with a line break, entities, a link as Mastodon writes
// it, a tag and a mention; every tenth has a picture.

import { escapeHtml } from "../../packages/server/src/lib/html/html-cleaner.ts";

const FIRST =
  "The river was high this morning, & on the far bank two herons stood in the " +
  "reeds as if somebody had painted them there.";
const SECOND =
  "I had bread with me, and time, and nobody's questions: <3. More of it is at";

/** A person mentioned in a post. */
export type Named = {
  readonly name: string;
  readonly handle: string;
  readonly actorUri: string;
};

const isWithPicture = (number: number): boolean => number % 10 === 0;
const linkOf = (number: number): string =>
  `https://birds.example/observations/river/2026?number=${number}&view=full`;
const pictureOf = (number: number): string =>
  `https://files.birds.example/media/original/${number}.jpg`;
const DESCRIPTION = "Two herons in the reeds, seen from the other bank";
const WIDTH = 1280;
const HEIGHT = 960;

/** A post as typed by a local user: Markdown. */
export function writeMarkdownText(number: number, named?: Named): string {
  const mention = named ? ` with @{${named.name}; ${named.handle}}` : "";
  return `${FIRST}\n${SECOND} ${linkOf(number)}\n\n#herons${mention}, number ${number}`;
}

/** The same as sent by Mastodon. */
export function writeHtmlText(number: number, named?: Named): string {
  const first = escapeHtml(FIRST);
  const second = escapeHtml(SECOND);
  const url = new URL(linkOf(number));
  const rest = `${url.host}${url.pathname}${url.search}`;
  const link =
    `<a href="${escapeHtml(url.href)}" target="_blank" rel="nofollow noopener" translate="no">` +
    `<span class="invisible">https://</span><span class="ellipsis">${escapeHtml(rest.slice(0, 30))}</span>` +
    `<span class="invisible">${escapeHtml(rest.slice(30))}</span></a>`;
  const tag =
    '<a href="https://birds.example/tags/herons" class="mention hashtag" rel="tag">#<span>herons</span></a>';
  const mention = named
    ? ` with <span class="h-card" translate="no"><a href="${named.actorUri}" class="u-url mention">@<span>${named.name}</span></a></span>`
    : "";
  return `<p>${first}<br>${second} ${link}</p><p>${tag}${mention}, number ${number}</p>`;
}

/** The context of a `Create` by Mastodon. */
const CONTEXT = [
  "https://www.w3.org/ns/activitystreams",
  {
    ostatus: "http://ostatus.org#",
    atomUri: "ostatus:atomUri",
    inReplyToAtomUri: "ostatus:inReplyToAtomUri",
    conversation: "ostatus:conversation",
    sensitive: "as:sensitive",
    toot: "http://joinmastodon.org/ns#",
    votersCount: "toot:votersCount",
    blurhash: "toot:blurhash",
    focalPoint: { "@container": "@list", "@id": "toot:focalPoint" },
    Hashtag: "as:Hashtag",
    quote: "https://w3id.org/fep/044f#quote",
    quoteUri: "http://fedibird.com/ns#quoteUri",
    _misskey_quote: "https://misskey-hub.net/ns#_misskey_quote",
    quoteAuthorization: {
      "@id": "https://w3id.org/fep/044f#quoteAuthorization",
      "@type": "@id",
    },
    gts: "https://gotosocial.org/ns#",
    interactionPolicy: { "@id": "gts:interactionPolicy", "@type": "@id" },
    canQuote: { "@id": "gts:canQuote", "@type": "@id" },
    automaticApproval: { "@id": "gts:automaticApproval", "@type": "@id" },
    manualApproval: { "@id": "gts:manualApproval", "@type": "@id" },
  },
];

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

type NoteInput = {
  readonly id: string;
  readonly actorUri: string;
  readonly number: number;
  readonly named?: Named;
};

/** A `Create` of a public Note as sent by Mastodon 4.5. */
export function writeCreate({
  id,
  actorUri,
  number,
  named,
}: NoteInput): unknown {
  const published = nowInSeconds();
  const cc = [`${actorUri}/followers`, ...(named ? [named.actorUri] : [])];
  const audience = { published, to: [PUBLIC], cc };
  const content = writeHtmlText(number, named);
  return {
    "@context": CONTEXT,
    id: `${id}/activity`,
    type: "Create",
    actor: actorUri,
    ...audience,
    object: {
      id,
      type: "Note",
      summary: null,
      inReplyTo: null,
      ...audience,
      url: id.replace("/notes/", "/@notes/"),
      attributedTo: actorUri,
      sensitive: false,
      atomUri: id,
      inReplyToAtomUri: null,
      conversation: `tag:birds.example,2026-11-23:objectId=${number}:objectType=Conversation`,
      context: `${id}/context`,
      content,
      contentMap: { en: content },
      interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
      attachment: isWithPicture(number) ? [documentOf(number)] : [],
      tag: [
        {
          type: "Hashtag",
          href: "https://birds.example/tags/herons",
          name: "#herons",
        },
        ...(named
          ? [
              {
                type: "Mention",
                href: named.actorUri,
                name: `@${named.handle}`,
              },
            ]
          : []),
      ],
      replies: {
        id: `${id}/replies`,
        type: "Collection",
        first: {
          type: "CollectionPage",
          next: `${id}/replies?only_other_accounts=true&page=true`,
          partOf: `${id}/replies`,
          items: [],
        },
      },
      likes: { id: `${id}/likes`, type: "Collection", totalItems: 0 },
      shares: { id: `${id}/shares`, type: "Collection", totalItems: 0 },
    },
  };
}

function documentOf(number: number): unknown {
  return {
    type: "Document",
    mediaType: "image/jpeg",
    url: pictureOf(number),
    name: DESCRIPTION,
    blurhash: "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH",
    focalPoint: [0, 0],
    width: WIDTH,
    height: HEIGHT,
  };
}

type MessageInput = {
  readonly author: string;
  readonly guid: string;
  readonly newGuid: () => string;
  readonly number: number;
  readonly named?: Named;
};

/** A public `status_message` as sent by diaspora*. */
export function writeStatusMessage({
  author,
  guid,
  newGuid,
  number,
  named,
}: MessageInput) {
  const createdAt = nowInSeconds();
  const url = pictureOf(number);
  const at = url.lastIndexOf("/") + 1;
  const picture = {
    type: "photo" as const,
    author,
    guid: newGuid(),
    createdAt,
    public: true,
    remotePhotoPath: url.slice(0, at),
    remotePhotoName: url.slice(at),
    text: DESCRIPTION,
    statusMessageGuid: guid,
    width: WIDTH,
    height: HEIGHT,
  };
  return {
    type: "status_message" as const,
    author,
    guid,
    createdAt,
    public: true,
    text: writeMarkdownText(number, named),
    photos: isWithPicture(number) ? [picture] : [],
  };
}

function nowInSeconds(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
