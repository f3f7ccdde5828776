import type { Settings, SignedIn } from "../../../features/accounts/index.ts";
import type {
  PersonKind,
  ProfileChanges,
} from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { readLanguageTag } from "../../../lib/language-tag.ts";
import type { Input } from "../../kit/input.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { readQuotable } from "../statuses/new-status.ts";
import { loadCredentials } from "../../loading/load-accounts.ts";

/** The user's own profile and defaults. */
export function credentialRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { accounts } = deps;
  return [
    userRoute({
      method: "PATCH",
      path: "/v1/accounts/update_credentials",
      scope: "write:accounts",
      limit: "costly",
      files: ["avatar", "header"],
      handle: async ({ input, viewer }) => {
        const { userId } = viewer;
        // Before anything is changed: a wrong default changes nothing.
        const defaults = readDefaults(input.record("source"));
        await changeOwnProfile(deps, viewer, input);
        if (Object.keys(defaults).length > 0)
          await accounts.changeSettings(userId, defaults);
        return loadCredentials(deps, viewer);
      },
    }),
  ];
}

/** Changes what is given of the user's own profile. */
export async function changeOwnProfile(
  { people, photos }: Pick<MastodonDeps, "people" | "photos">,
  { personId }: Pick<SignedIn, "personId">,
  input: Input,
): Promise<void> {
  const changes = readChanges(input);
  const [avatar, header] = [input.file("avatar"), input.file("header")];
  if (avatar ?? header)
    await photos.changeProfile(personId, changes, {
      ...(avatar && { avatar: avatar.bytes }),
      ...(header && { header: header.bytes }),
    });
  else if (Object.keys(changes).length > 0)
    await people.changeProfile(personId, changes);
}

/** A name is one text here: whatever was a last name before becomes a part of it. */
function readChanges(input: Input): ProfileChanges {
  const name = input.text("display_name");
  const changes = {
    ...(name !== undefined && { firstName: name, lastName: "" }),
    bio: input.text("note"),
    locked: input.flag("locked"),
    searchable: input.flag("discoverable"),
    indexable: input.flag("indexable"),
    kind: readKind(input.flag("bot")),
    nsfw: input.record("source")?.flag("sensitive"),
    fields: input.has("fields_attributes") ? readFields(input) : undefined,
  };
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
}

const readKind = (isBot: boolean | undefined): PersonKind | undefined =>
  isBot === undefined ? undefined : isBot ? "bot" : "person";

/** Fields without a name and a value are left out. */
const readFields = (input: Input) =>
  input
    .records("fields_attributes")
    .map((field) => ({
      name: field.text("name") ?? "",
      value: field.text("value") ?? "",
    }))
    .filter(({ name, value }) => name.trim() + value.trim() !== "");

/** @throws {KithError} `bad_request` for what is no language. @throws {Refusal} */
function readDefaults(source: Input | undefined): Partial<Settings> {
  const audience = readDefault(source);
  const quotableBy = readQuotable(source?.filled("quote_policy"));
  return {
    ...(audience && { audience }),
    ...(quotableBy && { quotableBy }),
    ...(source?.has("language") && {
      postLanguage: readDefaultLanguage(source.filled("language")),
    }),
  };
}

function readDefaultLanguage(tag: string | undefined): string | null {
  if (tag === undefined) return null;
  const language = readLanguageTag(tag);
  if (language === undefined)
    throw new KithError(
      "bad_request",
      "A language must be a tag of BCP 47, such as en or pt-BR.",
    );
  return language;
}

/** @returns undefined if it is not given, or none that posts can have by default */
function readDefault(
  source: Input | undefined,
): Settings["audience"] | undefined {
  switch (source?.filled("privacy")) {
    case "public":
      return { kind: "everyone" };
    case "unlisted":
      return { kind: "unlisted" };
    case "private":
      return { kind: "followers" };
    default:
      return undefined;
  }
}
