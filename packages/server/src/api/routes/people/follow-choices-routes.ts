import {
  readFollowLanguages,
  type Contacts,
  type FollowChoices,
} from "../../../features/contacts/index.ts";
import { flag } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { one } from "../../schemas/schemas.ts";
import { getPerson } from "./people-routes.ts";

export type FollowChoicesRoutesDeps = Pick<PresentPostsDeps, "people"> & {
  readonly contacts: Pick<Contacts, "changeChoices" | "find">;
};

const CHANGES = Type.Object({
  reshares: flag("Whether the person's reshares are in your home"),
  notify: flag("Whether each new post by the person notifies you"),
  languages: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Language tags: your home leaves out posts and reshares in other languages. A blank tag means all languages",
    }),
  ),
});

/** The choices of users about the people whom they follow. */
export function followChoicesRoutes({
  contacts,
  people,
}: FollowChoicesRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:follows",
      name: "showFollowChoices",
      path: "/people/:id/follow_choices",
      summary: "Shows your choices about a person you follow.",
      input: NO_INPUT,
      output: one("FollowChoices"),
      handle: async ({ user, path }) => {
        const person = await getPerson({ people }, path("id"));
        const contact = await contacts.find(user.userId, person.id);
        if (!contact?.following)
          throw new KithError("not_found", "You do not follow this person.");
        return presentFollowChoices(contact.choices);
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:follows",
      name: "changeFollowChoices",
      path: "/people/:id/follow_choices",
      summary:
        "Changes your choices about a person you follow; those not given stay.",
      description:
        "The choices apply to your home and the lists of your aspects, and end when you unfollow the person. Posts without a language, and posts with a tag you follow, are not left out.",
      input: CHANGES,
      output: one("FollowChoices"),
      handle: async ({ user, path, input }) => {
        const person = await getPerson({ people }, path("id"));
        const { reshares, notify, languages } = input;
        const changes = {
          ...(reshares !== undefined && { reshares }),
          ...(notify !== undefined && { notify }),
          ...(languages && { languages: readFollowLanguages(languages) }),
        };
        return presentFollowChoices(
          await contacts.changeChoices(user.userId, person.id, changes),
        );
      },
    }),
  ];
}

const presentFollowChoices = (choices: FollowChoices): WireRecord => ({
  Reshares: choices.reshares,
  Notify: choices.notify,
  Languages: choices.languages,
});
