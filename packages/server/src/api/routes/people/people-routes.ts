import { Type } from "../../../lib/json-schema.ts";
import type { Static } from "typebox";
import type { SignedIn } from "../../../features/accounts/index.ts";
import type { Contacts } from "../../../features/contacts/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type {
  DetailAudiences,
  Person,
  ProfileChanges,
  ProfileField,
} from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { file, flag, text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import {
  presentPosts,
  type PresentPostsDeps,
} from "../../presenters/present-posts.ts";
import {
  presentOwnProfile,
  presentPerson,
  presentProfile,
  type WireRecord,
} from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { POST_TYPES } from "../../schemas/schema-parts.ts";
import { listOf, one } from "../../schemas/schemas.ts";

export type PeopleRoutesDeps = PresentPostsDeps & {
  readonly contacts: Contacts;
  /** Finds a person, or an object of a person, locally or on the network. */
  readonly find: (
    handleOrAddress: string,
    by: SignedIn,
  ) => Promise<Found | undefined>;
};

/** A person, and the object whose URL was given, if it was not the person's. */
type Found = {
  readonly person: Person;
  readonly thing?: { readonly type: string; readonly guid: string };
};

const SEARCH = Type.Object({
  handle: text(
    "The handle of a person, or the address (URL) of a person, a post or a comment",
  ),
});

const STREAM = Type.Object({
  format: Type.Optional(
    Type.String({
      enum: ["diaspora"],
      description: "For the shape of diaspora*",
    }),
  ),
});

const audience = (name: string, first: string) =>
  Type.Optional(
    Type.String({
      enum: ["everyone", "contacts", "nobody"],
      description: `Who sees ${name}, ${first} where never said; goes before Public`,
    }),
  );

const list = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description }));

const PROFILE = Type.Object({
  FirstName: text("At most 32 characters"),
  LastName: text("At most 32 characters"),
  Bio: text("Markdown"),
  Birthday: text("YYYY-MM-DD, or empty for none"),
  Gender: text("At most 255 characters"),
  Location: text("At most 255 characters"),
  Public: flag(
    "Who sees Bio, Birthday, Gender and Location: true for everyone, false for contacts alone",
  ),
  BioFor: audience("Bio", "everyone"),
  BirthdayFor: audience("Birthday", "contacts"),
  GenderFor: audience("Gender", "contacts"),
  LocationFor: audience("Location", "contacts"),
  Searchable: flag("May the person be found?"),
  Nsfw: flag("Are the person's posts not for everyone's eyes?"),
  FieldName: list(
    "The names of up to 20 fields of your own, such as Pronouns; they take the place of all before, and have the audience of Bio",
  ),
  FieldValue: list("As many values, in Markdown, in the same order"),
  Indexable: flag("May your public posts be found by searching elsewhere?"),
  Locked: flag("Do you approve each follower? See /follow_requests"),
  Bot: flag("Does a program post there?"),
  image: file("The picture"),
});

/** Gets a known person who has not left. @throws {KithError} `not_found` */
export async function getPerson(
  { people }: Pick<PresentPostsDeps, "people">,
  identifier: string,
): Promise<Person> {
  const person = await findByIdOrGuid<PersonId, Person>(identifier, (key) =>
    people.find(key),
  );
  if (person?.state !== "active")
    throw new KithError("not_found", "No such person.");
  return person;
}

export function peopleRoutes(deps: PeopleRoutesDeps): ApiRoute[] {
  const { people, photos, posts, find } = deps;
  return [
    apiRoute({
      method: "POST",
      limit: "costly",
      scope: "read:search",
      name: "findPerson",
      path: "/search",
      summary:
        "Finds a person by handle, or a person, post or comment by its address, here or on the network.",
      input: SEARCH,
      needs: ["handle"],
      output: one("Found"),
      handle: async ({ user, input }) => {
        const handle = input.handle.trim();
        const found = await find(handle, user);
        if (!found) throw new KithError("not_found", "Nobody has that handle.");
        const { person, thing } = found;
        return {
          ...presentPerson(
            person,
            await deps.contacts.nearnessOf(user, person.id),
          ),
          ...(thing && {
            ShareableType: thing.type,
            ShareableGuid: thing.guid,
          }),
        };
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "showPerson",
      path: "/people/:id",
      summary: "Shows a person.",
      input: NO_INPUT,
      output: one("Person"),
      handle: async ({ user, path }) => {
        const person = await getPerson(deps, path("id"));
        return presentPerson(
          person,
          await deps.contacts.nearnessOf(user, person.id),
        );
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "showProfile",
      path: "/people/:id/profile",
      summary: "Shows a person's profile.",
      input: NO_INPUT,
      output: one("Profile"),
      handle: async ({ user, path }) => {
        const person = await getPerson(deps, path("id"));
        return presentProfile(
          person,
          await deps.contacts.nearnessOf(user, person.id),
        );
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "costly",
      scope: "write:accounts",
      name: "changeProfile",
      path: "/profile",
      summary: "Changes your profile.",
      errors: [503],
      input: PROFILE,
      output: one("Profile"),
      handle: async ({ user, input }) => {
        const changes = toProfileChanges(input);
        const { personId } = user;
        const person = input.image
          ? await photos.changeProfile(personId, changes, {
              avatar: input.image.bytes,
            })
          : await people.changeProfile(personId, changes);
        return presentOwnProfile(person);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listPostsOfPerson",
      path: "/people/:id/stream",
      summary: "Lists what a person has published, newest first.",
      input: STREAM,
      output: Type.Union([listOf("Post"), listOf("DiasporaPost")]),
      handle: async ({ user, path, input, page }) => {
        const person = await getPerson(deps, path("id"));
        const found = await posts.listOf(person.id, user, page);
        return input.format === "diaspora"
          ? found.map((post) => presentForDiaspora(post, person))
          : presentPosts(deps, found, user, { context: "account" });
      },
    }),
  ];
}

function readAudiences(
  input: Static<typeof PROFILE>,
): Partial<DetailAudiences> | undefined {
  const given = {
    bio: input.BioFor,
    birthday: input.BirthdayFor,
    gender: input.GenderFor,
    location: input.LocationFor,
  };
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/**
 * @throws {KithError} `bad_request` if the numbers of names and values differ
 */
function readFields({
  FieldName: names,
  FieldValue: values,
}: Static<typeof PROFILE>): ProfileField[] | undefined {
  if (names === undefined && values === undefined) return undefined;
  if (names?.length !== values?.length)
    throw new KithError(
      "bad_request",
      "FieldName and FieldValue must be given equally often.",
    );
  return names?.map((name, at) => ({ name, value: values?.[at] ?? "" }));
}

const readKind = (isBot: boolean | undefined) =>
  isBot === undefined ? undefined : isBot ? "bot" : "person";

function toProfileChanges(input: Static<typeof PROFILE>): ProfileChanges {
  const changes = {
    firstName: input.FirstName,
    lastName: input.LastName,
    bio: input.Bio,
    birthday: input.Birthday === "" ? null : input.Birthday,
    gender: input.Gender,
    location: input.Location,
    public: input.Public,
    shownTo: readAudiences(input),
    searchable: input.Searchable,
    nsfw: input.Nsfw,
    fields: readFields(input),
    indexable: input.Indexable,
    locked: input.Locked,
    kind: readKind(input.Bot),
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
}

function presentForDiaspora(post: Post, author: Person): WireRecord {
  return {
    public: post.public,
    guid: post.guid,
    author: { id: author.id, guid: author.guid },
    post_type: POST_TYPES[post.type],
    text: post.text,
    provider_display_name: post.providerName,
    created_at: post.createdAt,
  };
}
