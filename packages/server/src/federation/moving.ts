import type { Accounts, SignedIn } from "../features/accounts/index.ts";
import type { Moves, NewMove } from "../features/moves/index.ts";
import type { Protocol } from "../db/schema/remote-person.ts";
import type { People, Person } from "../features/people/index.ts";
import { KithError } from "../lib/errors.ts";
import {
  readMoveKey,
  sealMigration,
  signMove,
} from "./diaspora/migration/migrations.ts";
import type { PersonId } from "../features/ids.ts";

export type MovingDeps = {
  readonly accounts: Accounts;
  readonly people: People;
  readonly moves: Moves;
  readonly baseUrl: string;
  readonly protocols: Readonly<Record<Protocol, boolean>>;
  /** Looks a person up by handle, now. */
  readonly search: (handle: string) => Promise<Person | undefined>;
  readonly searchActor: (uri: string) => Promise<Person | undefined>;
  readonly actorOf: (person: Person) => string | null;
  readonly namesAsAlias: (to: Person, from: Person) => Promise<boolean>;
};

/** The operations of moving, on both servers. */
export type Moving = ReturnType<typeof createMoving>;

/** The signature that one identity gives to the server of the other. */
export type MoveSignature = {
  readonly oldHandle: string;
  readonly newHandle: string;
  /** Base64; by the key of the user. */
  readonly signature: string;
};

const MAX_ALIASES = 20;

export function createMoving(deps: MovingDeps) {
  const { accounts } = deps;
  return {
    /**
     * Agrees to a move between the user and a remote person: returns the data
     * that the other server needs.
     * @param direction does the user leave, or come here?
     * @throws {KithError} `unauthorized` for a wrong password, `bad_request`
     *   for a person who cannot be the other identity
     */
    sign: async (
      user: SignedIn,
      proof: Proof,
      direction: "away" | "here",
      otherHandle: string,
    ): Promise<MoveSignature> => {
      await accounts.provePassword(user, proof.password, proof.from);
      const { self, other } = await findBoth(deps, user, otherHandle);
      const [from, to] = direction === "away" ? [self, other] : [other, self];
      const signature = await signMove(deps, { from, to }, self);
      return { oldHandle: from.handle, newHandle: to.handle, signature };
    },
    leave: (user: SignedIn, input: MoveInput) => leave(deps, user, input),
    arrive: (user: SignedIn, input: MoveInput & { signature: string }) =>
      arrive(deps, user, input),
    /** @see arriveByKey */
    arriveByKey: (user: { readonly personId: PersonId }, old: OldIdentity) =>
      arriveByKey(deps, user, old),
    /** The URLs of the actors that may move to the user. */
    listAliases: async (user: SignedIn): Promise<readonly string[]> =>
      (await getSelf(deps, user)).alsoKnownAs,
    /**
     * @param names handles or URLs of actors, which must resolve now
     * @throws {KithError} `bad_request` for one that does not, or too many
     */
    setAliases: async (
      user: SignedIn,
      names: readonly string[],
    ): Promise<readonly string[]> => {
      if (names.length > MAX_ALIASES)
        throw new KithError("bad_request", "There are too many aliases.");
      const found: string[] = [];
      // Sequentially: two names of one actor would be discovered twice at once.
      for (const name of names) found.push(await findAlias(deps, user, name));
      await deps.people.setAliases(user.personId, [...new Set(found)]);
      return (await getSelf(deps, user)).alsoKnownAs;
    },
  };
}

/** The password, and the network of the client. */
type Proof = { readonly password: string; readonly from: string };

type MoveInput = Proof & {
  readonly otherHandle: string;
  /** By the other identity, over both handles. */
  readonly signature?: string;
};

/**
 * Moves the user away. With the signature of the new identity everything is
 * moved (diaspora*) and the account is closed; without it only the followers
 * (ActivityPub), for which the new account must name this one as its alias.
 * @throws {KithError} `unauthorized`, `bad_request`
 */
async function leave(
  deps: MovingDeps,
  user: SignedIn,
  { password, from, otherHandle, signature }: MoveInput,
): Promise<void> {
  await deps.accounts.provePassword(user, password, from);
  const { self, other } = await findBoth(deps, user, otherHandle);
  if (signature !== undefined) {
    const text = await seal(deps, { from: self, to: other }, self, signature);
    const document = { text, public: true };
    return start(deps, { from: self.id, to: other.id, document });
  }
  const isAlias =
    deps.protocols.activitypub && (await deps.namesAsAlias(other, self));
  if (!isAlias)
    throw new KithError(
      "bad_request",
      "The new account does not name this one as its alias.",
    );
  await start(deps, { from: self.id, to: other.id });
}

/**
 * Announces that the user continues a remote identity, which has signed for it.
 * The old actor may then also move here over ActivityPub.
 * @throws {KithError} `unauthorized`, `bad_request`
 */
async function arrive(
  deps: MovingDeps,
  user: SignedIn,
  { password, from, otherHandle, signature }: MoveInput & { signature: string },
): Promise<void> {
  await deps.accounts.provePassword(user, password, from);
  const { self, other } = await findBoth(deps, user, otherHandle);
  const text = await seal(deps, { from: other, to: self }, self, signature);
  await start(deps, arrivalOf(deps, { self, other }, text));
}

/** A move here, with all content. @param text the signed document */
function arrivalOf(
  { actorOf }: MovingDeps,
  { self, other }: { readonly self: Person; readonly other: Person },
  text: string,
): NewMove {
  const alias = actorOf(other) ?? undefined;
  const document = { text, public: true };
  return { from: other.id, to: self.id, document, alias };
}

/** An account elsewhere, with the private key that its owner has of it. */
export type OldIdentity = {
  readonly handle: string;
  /** PEM. Is neither stored nor logged. */
  readonly privateKeyPem: string;
  /** Only say what would happen. */
  readonly isRehearsal: boolean;
};

export type KeyedArrival = {
  readonly kind: "moved" | "known" | "refused" | "unknown_person" | "wrong_key";
  /** The old person, if the key is its key. */
  readonly oldId?: PersonId;
};

/**
 * Moves an account here whose private key the user has, as if its server had signed for it. The
 * signature proves the key: a public half in it could be anybody's. The caller has checked that
 * it is the user who asks.
 */
async function arriveByKey(
  deps: MovingDeps,
  user: { readonly personId: PersonId },
  { handle, privateKeyPem, isRehearsal }: OldIdentity,
): Promise<KeyedArrival> {
  const self = await getSelf(deps, user);
  const sign = readMoveKey(privateKeyPem);
  if (!sign) return { kind: "wrong_key" };
  // One that has moved already is not found by a search.
  const other =
    (await deps.search(handle)) ?? (await deps.people.find({ handle }));
  if (!other) return { kind: "unknown_person" };
  if (other.userId !== null || !deps.protocols.diaspora)
    return { kind: "refused" };
  const identities = { from: other, to: self };
  const signature = await sign(identities);
  const text =
    signature && (await sealMigration(deps, identities, self, signature));
  if (text === undefined) return { kind: "wrong_key" };
  const move = arrivalOf(deps, { self, other }, text);
  const { kind } = await (isRehearsal
    ? deps.moves.preview(move)
    : deps.moves.start(move));
  return kind === "refused" ? { kind } : { kind, oldId: other.id };
}

async function seal(
  deps: MovingDeps,
  identities: { readonly from: Person; readonly to: Person },
  author: Person,
  signature: string,
): Promise<string> {
  const text = deps.protocols.diaspora
    ? await sealMigration(deps, identities, author, signature)
    : undefined;
  if (text === undefined)
    throw new KithError(
      "bad_request",
      "The signature must be that of the other account.",
    );
  return text;
}

async function start({ moves }: MovingDeps, move: NewMove): Promise<void> {
  const outcome = await moves.start(move);
  if (outcome.kind === "refused")
    throw new KithError(
      "bad_request",
      `The account was not moved: ${outcome.reason}.`,
    );
}

async function getSelf(
  { people }: MovingDeps,
  { personId }: { readonly personId: PersonId },
): Promise<Person> {
  const self = await people.find({ id: personId });
  if (!self) throw new KithError("not_found", "No such person.");
  return self;
}

async function findBoth(
  deps: MovingDeps,
  user: SignedIn,
  otherHandle: string,
): Promise<{ readonly self: Person; readonly other: Person }> {
  const self = await getSelf(deps, user);
  const other = await deps.search(otherHandle);
  if (!other)
    throw new KithError(
      "bad_request",
      "The handle must be that of an account that can be found.",
    );
  // Both identities are local: there is nothing to exchange.
  if (other.userId !== null)
    throw new KithError(
      "bad_request",
      "The handle must be that of an account on another server.",
    );
  return { self, other };
}

async function findAlias(
  deps: MovingDeps,
  user: SignedIn,
  name: string,
): Promise<string> {
  const person = /^https?:/i.test(name)
    ? await deps.searchActor(name)
    : await deps.search(name);
  const actor = person && deps.actorOf(person);
  if (!person || actor == null || person.id === user.personId)
    throw new KithError(
      "bad_request",
      "The aliases must be accounts that can be found and may move here.",
    );
  return actor;
}
