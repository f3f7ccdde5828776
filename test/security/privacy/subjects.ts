/** An object that a route can return, and that some people may not see. */
export type Kind =
  | "post"
  | "comment"
  | "like"
  | "event"
  /** A sound or a video, of a comment. */
  | "recording"
  | "photo"
  | "calendar"
  | "notification"
  /** A private conversation, named by its first message. */
  | "conversation"
  /** An object quoted by a public post, whoever may see it. */
  | "quote"
  /** A comment on a public post that a rule against spam holds, named by its number there. */
  | "heldComment";

/** The audience of an object. */
export type Audience =
  | "public"
  /** The members of one aspect, of another one, of one without members. */
  | "first"
  | "second"
  | "nobody"
  /** Everyone, but in no public list. */
  | "unlisted"
  | "followers"
  | "all_aspects"
  /** People named one by one. */
  | "named"
  | "self"
  /** Everyone, but a rule against spam holds it until a moderator decides. */
  | "held"
  /** The same of somebody of another server. */
  | "heldElsewhere"
  /** Sent by a remote person to one local person. */
  | "elsewhere"
  /** Visible only to its owner: a calendar, a notification, a private event. */
  | "personal";

export const VIEWERS = [
  "anonymous",
  "author",
  "firstMember",
  "secondMember",
  "stranger",
  /** Waits for the author to accept it as a follower. */
  "asking",
  "blocked",
  "deletedToken",
  /** Of this server; sees no more than a stranger, but where moderators decide. */
  "moderator",
  "remoteMember",
  "remoteStranger",
] as const;
export type Viewer = (typeof VIEWERS)[number];

/** The access rule, as a table. */
const SEEN_BY: Readonly<Record<Audience, readonly Viewer[]>> = {
  public: VIEWERS.filter((viewer) => viewer !== "blocked"),
  first: ["author", "firstMember", "remoteMember"],
  second: ["author", "secondMember"],
  nobody: ["author"],
  unlisted: VIEWERS.filter((viewer) => viewer !== "blocked"),
  followers: ["author", "secondMember", "remoteMember"],
  all_aspects: ["author", "firstMember", "secondMember", "remoteMember"],
  named: ["author", "stranger", "remoteStranger"],
  self: ["author"],
  held: ["author"],
  heldElsewhere: [],
  elsewhere: ["firstMember"],
  personal: ["author"],
};

export function isVisible(audience: Audience, viewer: Viewer): boolean {
  return SEEN_BY[audience].includes(viewer);
}

/** The tag of every post, which everyone follows. */
export const TAG = "privacymatrix";

/** An object, and the post it belongs to. */
export type Subject = {
  readonly kind: Kind;
  readonly audience: Audience;
  readonly id: number;
  readonly guid: string;
  /** A text in every answer that shows it, and in no other. */
  readonly marker: string;
  /** The post itself, or its post. */
  readonly post: { readonly id: number; readonly guid: string };
  /** The address of a photo. */
  readonly url?: string;
  readonly thumbnailUrl?: string;
  /** The number under which it waits for a moderator. */
  readonly heldId?: number;
};

const LIMITED = [
  ...(["first", "second", "nobody"] as const),
  ...(["followers", "all_aspects", "named", "self"] as const),
];
const CHOSEN = ["public", "unlisted", ...LIMITED] as const;

export const KINDS: Readonly<Record<Kind, readonly Audience[]>> = {
  post: [...CHOSEN, "elsewhere", "held", "heldElsewhere"],
  comment: [...CHOSEN, "elsewhere", "held"],
  like: [...CHOSEN, "elsewhere", "held"],
  event: ["public", ...LIMITED, "personal"],
  recording: [...CHOSEN, "personal", "held"],
  photo: [...CHOSEN, "personal", "held"],
  calendar: ["personal"],
  notification: ["personal"],
  conversation: ["first", "elsewhere"],
  quote: [...CHOSEN, "elsewhere", "held"],
  heldComment: ["held", "heldElsewhere"],
};

/** The same names without values. */
export const ABSENT = {
  id: 9_007_199_254_740_000,
  guid: "0".repeat(32),
} as const;
