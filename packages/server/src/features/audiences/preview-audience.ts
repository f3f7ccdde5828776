import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { PersonId, PhotoId } from "../ids.ts";
import type { People, Person } from "../people/index.ts";
import type { Texts } from "../texts/index.ts";
import type { Audience, ResolvedAudience } from "./audience.ts";
import type { ResolveAudience } from "./resolve-audience.ts";

/** The people and servers that a post would reach. */
export type Reach = {
  readonly people: readonly Person[];
  /** People on servers that this one cannot deliver to. */
  readonly unreachable: readonly Person[];
  /** The other servers that receive it. */
  readonly hosts: readonly string[];
  /** Those of them that put every public post in their public lists. */
  readonly hostsListing: readonly string[];
  /** Those of them that ignore edits. */
  readonly hostsIgnoringEdits: readonly string[];
  /** Those of them that get a link instead of a sound or a video. */
  readonly hostsLinkingRecordings: readonly string[];
};

/** Computes the reach of a post as its delivery does. */
export type ReachAudience = (post: {
  readonly by: Person;
  readonly public: boolean;
  readonly recipients: readonly PersonId[];
  readonly mentioned: readonly PersonId[];
}) => Promise<Reach>;

/** Something that an author may expect, and that will not happen. */
export type Shortfall =
  /** Nobody receives it. */
  | { readonly kind: "nobody" }
  /** These people are mentioned, and do not receive it. */
  | { readonly kind: "mentions"; readonly people: readonly Person[] }
  | { readonly kind: "unreachable"; readonly people: readonly Person[] }
  /** These servers list an unlisted post. */
  | { readonly kind: "listed"; readonly hosts: readonly string[] }
  /** These servers keep showing the first version of an edited post. */
  | { readonly kind: "edits"; readonly hosts: readonly string[] }
  /** These servers show a link instead of a sound or a video. */
  | { readonly kind: "recordings"; readonly hosts: readonly string[] };

export type AudiencePreview = {
  readonly audience: ResolvedAudience;
  readonly people: readonly Person[];
  readonly hosts: readonly string[];
  readonly notKept: readonly Shortfall[];
};

export type PreviewDeps = {
  readonly db: Db;
  readonly audiences: { readonly resolve: ResolveAudience };
  readonly people: Pick<People, "find" | "listById">;
  readonly texts: Pick<Texts, "listPeopleIn" | "read">;
  readonly photos: {
    /** Is one of these a sound or a video of this person? */
    readonly haveRecording: (
      personId: PersonId,
      ids: readonly PhotoId[],
    ) => Promise<boolean>;
  };
  readonly reach: ReachAudience;
};

export type PreviewAudience = ReturnType<typeof createPreviewAudience>;

/**
 * Shows an author who would receive a post with this text and these photos, before it is
 * published.
 * @throws {KithError} as resolving the audience does
 */
export function createPreviewAudience(deps: PreviewDeps) {
  const { db, audiences, people, photos, texts, reach } = deps;
  return async (
    author: Parameters<ResolveAudience>[1],
    audience: Audience,
    text: string,
    photoIds: readonly PhotoId[] = [],
  ): Promise<AudiencePreview> => {
    const found = texts.read(text);
    const by = await people.find({ id: author.personId });
    if (!by) throw new KithError("not_found", "No such author.");
    const resolved = await audiences.resolve(db.read, author, audience, found);
    const mentioned = await texts.listPeopleIn(db.read, found);
    const reached = await reach({ by, ...resolved, mentioned });
    const got = new Set(reached.people.map(({ id }) => id)).add(by.id);
    const outside = await people.listById(
      mentioned.filter((id) => !got.has(id)),
    );
    return {
      audience: resolved,
      people: reached.people,
      hosts: reached.hosts,
      notKept: [
        ...findShortfalls(resolved, reached, [...outside.values()]),
        ...(reached.hostsLinkingRecordings.length > 0 &&
        (await photos.haveRecording(by.id, photoIds))
          ? [
              {
                kind: "recordings" as const,
                hosts: reached.hostsLinkingRecordings,
              },
            ]
          : []),
      ],
    };
  };
}

function findShortfalls(
  { public: isPublic, listed, limitedTo }: ResolvedAudience,
  { people, unreachable, hostsListing, hostsIgnoringEdits }: Reach,
  outside: readonly Person[],
): Shortfall[] {
  const unreached = new Set(unreachable.map(({ id }) => id));
  const missed = outside.filter(({ id }) => !unreached.has(id));
  const isEmpty = !isPublic && limitedTo !== "self" && people.length === 0;
  const shortfalls: (Shortfall | false)[] = [
    isEmpty && { kind: "nobody" },
    missed.length > 0 && { kind: "mentions", people: missed },
    unreachable.length > 0 && { kind: "unreachable", people: unreachable },
    !listed &&
      hostsListing.length > 0 && { kind: "listed", hosts: hostsListing },
    hostsIgnoringEdits.length > 0 && {
      kind: "edits",
      hosts: hostsIgnoringEdits,
    },
  ];
  return shortfalls.filter((shortfall) => shortfall !== false);
}
