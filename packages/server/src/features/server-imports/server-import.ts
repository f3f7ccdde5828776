import type { Clock } from "../../lib/time/clock.ts";
import type { Accounts } from "../accounts/index.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Comments } from "../comments/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { AspectId, CommentId, PersonId, PostId, UserId } from "../ids.ts";
import type { Likes } from "../likes/index.ts";
import type { People, Person, ProfileChanges } from "../people/index.ts";
import type { Posts } from "../posts/index.ts";
import type { Streams } from "../streams/index.ts";
import type { ImportOutcomes } from "./import-outcomes.ts";
import type { Hindrance } from "./record-kinds.ts";

/** A person on another server, as the server that moves here knows it. */
export type KnownElsewhere = {
  readonly handle: string;
  readonly guid: string;
  readonly publicKeyPem: string;
  /** The address of its server. */
  readonly seedLocation: string;
  readonly profile: ProfileChanges;
};

export type ServerImportsDeps = {
  readonly clock: Clock;
  /** `host[:port]` of the handles of this server. */
  readonly handleHost: string;
  readonly accounts: Pick<Accounts, "find" | "takeOver">;
  readonly aspects: Pick<Aspects, "list" | "takeOver" | "takeOverMembership">;
  readonly comments: Pick<Comments, "find" | "takeOver">;
  readonly contacts: Pick<Contacts, "find" | "takeOver">;
  readonly likes: Pick<Likes, "find" | "takeOver">;
  readonly people: Pick<People, "find">;
  readonly posts: Pick<Posts, "find" | "findReshareOf" | "takeOver">;
  readonly streams: Pick<
    Streams,
    "followTag" | "isFollowingTag" | "list" | "save"
  >;
  /** @returns undefined if the person has left, or its server is blocked here */
  readonly storeElsewhere: (
    person: KnownElsewhere,
  ) => Promise<Person | undefined>;
};

/** A person of the other server, here; without ids as long as it is only rehearsed. */
export type Arrived = {
  readonly id: PersonId | null;
  /** null also for people elsewhere. */
  readonly userId: UserId | null;
  readonly isLocal: boolean;
};

/** An account of the other server, here. */
export type ArrivedAccount = Arrived & {
  readonly isLocal: true;
  readonly username: string;
  /** Does it come only now, or has nobody used it here? */
  readonly isUntouched: boolean;
};

/** The things of the other server that are here, by their ids there. */
export type ServerImportRun = {
  readonly isRehearsal: boolean;
  readonly outcomes: ImportOutcomes;
  /** Notes that one more record is done. */
  readonly tick: () => void;
  readonly accounts: Map<number, ArrivedAccount>;
  readonly people: Map<number, Arrived | Hindrance>;
  readonly aspects: Map<
    number,
    { readonly id: AspectId | null; readonly name: string; userId: number }
  >;
  readonly posts: Map<number, PostId | null>;
  readonly comments: Map<
    number,
    { readonly id: CommentId | null; readonly postId: PostId | null }
  >;
};
