import {
  TAG,
  type Audience,
  type Kind,
  type Subject,
  type Viewer,
} from "./subjects.ts";

/** How a route identifies the viewer. */
export type Identity =
  /** Only by token. */
  | "token"
  /** By token or signature. */
  | "document"
  /** By token or session. */
  | "file"
  | "session"
  | "nobody";

/** One way in which a route could show an object, or act on it. */
export type Probe = {
  readonly about: readonly Kind[];
  readonly by: Identity;
  /** The paths that name the object, or that list it. */
  readonly paths: (subject: Subject) => readonly string[];
  /**
   * `one`: names the object: viewers without permission get the answer for a missing object. `list`: shows it among
   * others, or does not.
   */
  readonly is: "one" | "list";
  /** The viewers who get an answer, of those who may see it. All of them if missing. */
  readonly only?: (subject: Subject, viewer: Viewer) => boolean;
  /** Set where moderators alone get an answer, about what is held. */
  readonly isForModerators?: true;
  readonly form?: (subject: Subject) => Readonly<Record<string, string>>;
  readonly accept?: string;
  /** The text that reveals the object in an answer: its marker by default. */
  readonly sign?: (subject: Subject) => string;
  /** false if the answer does not contain the object's own text. */
  readonly shows?: false;
};

/** A route's relation to limited content. */
export type Entry = readonly Probe[] | { readonly silent: string };

export const ACTIVITY = "application/activity+json";
export const HTML = "text/html";

export const both =
  (before: string, after = "") =>
  ({ id, guid }: { id: number; guid: string }) => [
    `${before}/${id}${after}`,
    `${before}/${guid}${after}`,
  ];

/** The object is named by its id and by its Guid. */
export function named(
  kind: Kind,
  path: string,
  after = "",
  more: Partial<Probe> = {},
): Probe {
  const paths = both(`/api/v0${path}`, after);
  return { about: [kind], by: "token", is: "one", paths, ...more };
}

/** The parts of a post are named by the post. */
export const ofPost = (after: string, more: Partial<Probe> = {}): Probe => ({
  ...named("post", "/posts", after),
  shows: false,
  ...more,
});

export function listed(
  about: readonly Kind[],
  by: Identity,
  paths: Probe["paths"],
  more: Partial<Probe> = {},
): Probe {
  return { about, by, is: "list", paths, ...more };
}

/** What is searched for, with `$` for the text that is found, and which posts that leaves out. */
const searched = (q: string, about: readonly Kind[], without?: Audience) =>
  listed(
    about,
    "token",
    ({ marker }) => [
      `/api/v0/search?q=${encodeURIComponent(q.replace("$", marker))}`,
    ],
    {
      // Unlisted posts are found by those who took part in them alone.
      only: ({ audience: which }, viewer) =>
        which !== "personal" &&
        (which !== "unlisted" || viewer === "author") &&
        which !== without &&
        (which === "public" || !q.includes("in:public")),
    },
  );

/** What everyone may see is found too, because its author allows it. */
export const SEARCHES: readonly Probe[] = [
  searched("$", ["post", "photo"]),
  searched(`#${TAG} "$"`, ["post"]),
  searched("has:photo $", ["photo"]),
  searched("from:author $", ["post", "photo"], "elsewhere"),
  searched("in:public $", ["post", "photo"]),
];

/** The page repeats the words that were typed, so that a post is known by its address. */
export const SEARCH_PAGES: readonly Probe[] = SEARCHES.slice(0, 2).map(
  (probe) => ({
    ...{ ...probe, by: "session", accept: HTML },
    about: ["post"],
    paths: (subject) =>
      probe
        .paths(subject)
        .map((path) => `${path.replace("/api/v0", "")}&type=posts`),
    only: (subject, viewer) =>
      viewer !== "anonymous" && probe.only?.(subject, viewer) !== false,
    sign: ({ guid }) => `id="post-${guid}"`,
  }),
);

/** The quoting post is visible to everyone, its quoted post to its own audience. */
export const QUOTED = listed(["quote"], "token", ({ id }) => [
  `/api/v0/posts/${id}`,
]);
export const QUOTED_PAGE = listed(
  ["quote"],
  "session",
  ({ guid }) => [`/posts/${guid}`],
  { accept: HTML },
);

export const isPublic = ({ audience: which }: Subject) =>
  which === "public" || which === "unlisted";
/**
 * An unlisted post is only in the lists of its author and of those who have added the author,
 * whether or not the author has accepted them.
 */
export const inLists = (subject: Subject, viewer: Viewer) =>
  subject.kind === "quote" ||
  subject.audience !== "unlisted" ||
  ["author", "secondMember", "asking"].includes(viewer);

/** A public post contains only public events, and quotes only public posts. */
export const PUBLISHING: readonly Probe[] = (
  [
    ["event", "eventID"],
    ["post", "quoteID"],
  ] as const
).map(([kind, name]) => ({
  about: [kind],
  by: "token",
  is: "one",
  paths: ({ id }) => [`/api/v0/posts?post=x&${name}=${id}`],
  only: isPublic,
}));

export function calendar(more: Partial<Probe> = {}): Probe {
  const paths = ({ id }: Subject) => [`/api/v0/calendar/${id}`];
  return { ...named("calendar", "/calendar"), paths, ...more };
}

/** Those who read pages, and whom the author has not blocked. */
export const hasSession = (viewer: Viewer) =>
  [
    ...["author", "firstMember", "secondMember", "stranger", "asking"],
    "moderator",
  ].includes(viewer);
/**
 * Comments stand by themselves in the homes of those who have added their author, and in that of
 * their author.
 */
export const inHomeWithReplies = (subject: Subject, viewer: Viewer) =>
  subject.audience === "elsewhere"
    ? maker(subject, viewer)
    : ["author", "secondMember", "asking"].includes(viewer);
/** A post that waits comes into homes when it is approved, also into that of its author. */
export const inHomes = (subject: Subject, viewer: Viewer) =>
  subject.audience !== "held" && inLists(subject, viewer);
/** For probes of lists. */
export const IN_LISTS = { only: inLists };
export const IN_HOMES = { only: inHomes };
export const own = (_: Subject, viewer: Viewer) => viewer === "author";
export const audience =
  (...audiences: readonly Audience[]) =>
  (subject: Subject) =>
    audiences.includes(subject.audience);
export const isHere = (subject: Subject) => subject.audience !== "elsewhere";
/** The creator: the author, or, on a remote post, a person who may see it. */
export const maker = ({ audience: which }: Subject, viewer: Viewer) =>
  viewer === (which === "elsewhere" ? "firstMember" : "author");
export const silent = (reason: string): Entry => ({ silent: reason });

export const NO_CONTENT =
  "It answers with nothing that somebody made for somebody";
export const OWN_CALENDARS =
  "It answers programs about their own user's calendars; caldav.test.ts asks it for those of others";
export const RUNS_SERVER =
  "It is for those who run the server, and shows nothing that somebody wrote for some people only";
export const REFUSES = "It takes a message, and answers without any content";
