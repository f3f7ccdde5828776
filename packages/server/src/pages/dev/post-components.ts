import type { AspectId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { audienceChip } from "../events/event-parts.ts";
import { resharedView } from "../home/reshared-view.ts";
import { html, type Html } from "../kit/html.ts";
import type { Surroundings } from "../posts/load-surroundings.ts";
import { postAudienceChip } from "../posts/audience-chip.ts";
import { foldedView, postView } from "../posts/post-view.ts";
import type { KitComponent, KitInput } from "./kit-component.ts";
import { SAMPLES } from "./samples/sample-people.ts";
import {
  peopleById,
  RICH_TEXT,
  samplePhotos,
  samplePoll,
  samplePost,
  surroundings,
} from "./samples/sample-posts.ts";
import { sampleEvent } from "./samples/sample-events.ts";

type Around = (post: Post) => Partial<Surroundings>;

export function postComponents(input: KitInput): KitComponent[] {
  return [
    {
      id: "post",
      name: "Post",
      states: {
        ...plainPosts(input),
        ...fullPosts(input),
        ...quotingPosts(input),
      },
    },
    { id: "reshare-line", name: "Reshare line", states: reshareLines(input) },
    { id: "chip", name: "Chip", states: chips(input) },
    { id: "action-bar", name: "Action bar", states: actionBars(input) },
  ];
}

/** @param at the number of the post */
function shown(
  { context, now, acting }: KitInput,
  [at, author]: readonly [at: number, author: Person],
  more: Partial<Post> & { hoursAgo?: number } = {},
  around: Around = () => ({}),
): Html {
  const post = samplePost(at, author, now, more);
  return postView(context, post, surroundings(around(post)), {
    ...{ acting, isWhole: false },
  });
}

const LIMITED = { public: false, listed: false };

function plainPosts(input: KitInput): KitComponent["states"] {
  return {
    "A short one, for everyone": shown(input, [1, SAMPLES.short]),
    "Long names, limited, with all that Markdown has": shown(
      input,
      [2, SAMPLES.long],
      { ...LIMITED, text: RICH_TEXT, hoursAgo: 5 },
    ),
    "From right to left, without a picture": shown(
      input,
      [3, SAMPLES.rightToLeft],
      { text: "السلالم في السقيفة. #حديقة", language: "ar", hoursAgo: 50 },
    ),
    "So long that it is cut": shown(input, [9, SAMPLES.short], {
      text: `${RICH_TEXT}\n\n`.repeat(8),
    }),
    "Without a name": shown(input, [4, SAMPLES.nameless], { hoursAgo: 5000 }),
    "One's own, pinned": shown(input, [5, SAMPLES.me], {
      pinnedAt: input.now.toISOString(),
    }),
    "With a content warning": shown(input, [6, SAMPLES.short], {
      warning: "Wasps, and a fall from a ladder",
    }),
    "Folded by a filter": foldedView(shown(input, [7, SAMPLES.short]), [
      "No ladders",
      "Gardens",
    ]),
    "For somebody without an account": withoutAccount(input, 8),
  };
}

function withoutAccount({ context, now }: KitInput, at: number): Html {
  const post = samplePost(at, SAMPLES.long, now);
  return postView(context, post, surroundings(), {
    ...{ acting: undefined, isWhole: false },
  });
}

function fullPosts(input: KitInput): KitComponent["states"] {
  const { context, now } = input;
  const event = sampleEvent(100, "Cider making", now);
  return {
    "With pictures, a place and reactions": shown(
      input,
      [10, SAMPLES.short],
      { location: { address: "Old Mill, Lower Meadows", lat: "1", lng: "2" } },
      ({ id }) => ({
        photos: new Map([[id, samplePhotos(context.baseUrl, 3)]]),
        reactions: new Map([
          [
            id,
            [
              { emoji: "🍒", emojiUrl: null, count: 12 },
              { emoji: "🐝", emojiUrl: null, count: 1 },
            ],
          ],
        ]),
      }),
    ),
    "With a poll": shown(input, [11, SAMPLES.short], {}, ({ id }) => ({
      polls: new Map([
        [
          id,
          samplePoll("Which tree first?", [
            ["The old one", 3],
            ["The tall one", 0],
          ]),
        ],
      ]),
    })),
    "With an event": shown(
      input,
      [12, SAMPLES.short],
      { eventId: event.id, text: "Bring bottles." },
      () => ({ events: new Map([[event.id, event]]) }),
    ),
  };
}

function quotingPosts(input: KitInput): KitComponent["states"] {
  const { now } = input;
  const quoted = samplePost(20, SAMPLES.rightToLeft, now, { hoursAgo: 30 });
  const warned = { ...quoted, warning: "Wasps" };
  const quotes =
    (state: "accepted" | "pending", post: Post): Around =>
    ({ id }) => ({ quotes: new Map([[id, { state, post }]]) });
  return {
    "With a quote": shown(
      input,
      [21, SAMPLES.short],
      {},
      quotes("accepted", quoted),
    ),
    "With a quote behind a warning": shown(
      input,
      [22, SAMPLES.short],
      {},
      quotes("accepted", warned),
    ),
    "With a quote that waits": shown(
      input,
      [23, SAMPLES.short],
      {},
      quotes("pending", quoted),
    ),
    "With a linked page, from another server": linkingPost(input),
  };
}

function linkingPost(input: KitInput): Html {
  const preview = {
    url: "https://orchards.example/ladders",
    title: "How to place a ladder in a cherry tree",
    description: "Three legs are better than two.",
    ...{ siteName: "Orchards", authorName: "Bo" },
    imageUrl: `${input.context.baseUrl}/assets/icon-192.png`,
  };
  return shown(
    input,
    [24, SAMPLES.long],
    { url: "https://a-very-long-name-of-a-server.example/posts/24" },
    ({ id }) => ({ previews: new Map([[id, preview]]) }),
  );
}

function reshareLines(input: KitInput): KitComponent["states"] {
  const line = (people: readonly Person[], count: number) =>
    resharedView(peopleById(), { people: people.map(({ id }) => id), count });
  const { short, long, rightToLeft } = SAMPLES;
  return {
    "One person": line([short], 1),
    "Two people with long names": line([long, rightToLeft], 2),
    "Many people": line([short, rightToLeft], 4321),
    "Above its post": html`<div>
      ${line([short], 1)} ${shown(input, [30, rightToLeft])}
    </div>`,
    "The reshare of a post that is gone": shown(input, [31, short], {
      ...{ type: "reshare", rootGuid: "gone" },
    }),
  };
}

function chips({ acting, now }: KitInput): KitComponent["states"] {
  const own = (more: Partial<Post>) => {
    const post = samplePost(30, SAMPLES.me, now, { ...LIMITED, ...more });
    return html`<p>${postAudienceChip(post, SAMPLES.me, acting)}</p>`;
  };
  const aspects = [
    { id: 1 as AspectId, name: "Family" },
    { id: 2 as AspectId, name: "The people of the book club in the old mill" },
  ];
  return {
    "To its author, by name": own({ limitedTo: "aspects", aspects }),
    "To its author, who alone sees it": own({ limitedTo: "self" }),
    Everyone: html`<p>${audienceChip({ audience: "everyone" })}</p>`,
    Limited: html`<p>${audienceChip({ audience: "limited" })}</p>`,
    "Only me": html`<p>${audienceChip({ audience: "owner" })}</p>`,
  };
}

function actionBars(input: KitInput): KitComponent["states"] {
  const text = "A text is needed.";
  const { short, me } = SAMPLES;
  return {
    "Nothing done": shown(input, [40, short], { text }),
    "Liked, reshared and bookmarked, with large numbers": shown(
      input,
      [41, short],
      { text },
      ({ id, guid }) => ({
        ...{ liked: new Map([[id, true]]), reshared: new Set([guid]) },
        ...{ bookmarked: new Set([id]), comments: new Map([[id, 1234]]) },
        likes: new Map([[id, { likes: 56_789, dislikes: 0 }]]),
      }),
    ),
    "Of a limited post": shown(input, [42, short], { text, public: false }),
    "Of one's own post": shown(input, [43, me], { text }),
    "Without an account": withoutAccount(input, 44),
  };
}
