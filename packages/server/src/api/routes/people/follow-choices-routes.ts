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
  reshares: flag("What the person reshares is in your home"),
  notify: flag("You are notified of each new post of the person"),
  languages: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Language tags: posts and reshares in other languages are not in your home. A blank one: all languages",
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
      summary: "Shows what you want of a person whom you follow.",
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
      summary: "Changes the given choices about a person whom you follow.",
      description:
        "They hold in your home and in the lists of your aspects, and end when you unfollow the person. Posts that do not say their language, and those that a followed tag brings, stay.",
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
