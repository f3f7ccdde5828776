import type {
  ServerProfiles,
  ShownServer,
} from "../../../features/server-profile/index.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { one } from "../../schemas/schemas.ts";

export type ServerRoutesDeps = { readonly serverProfile: ServerProfiles };

const CHANGE = Type.Object({
  name: text("The name of the server, at most 100 characters"),
  description: text("What it is for, in Markdown, at most 1,000 characters"),
  rules: text("Its rules, in Markdown, at most 5,000 characters"),
  registration: Type.Optional(
    Type.String({
      enum: ["open", "approval", "closed", "configured"],
      description:
        "Who may sign up; configured for what the configuration says",
    }),
  ),
});

/** The description of the server, by its admins. */
export function serverRoutes({ serverProfile }: ServerRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "showServer",
      path: "/server",
      summary: "Shows what this server says about itself.",
      input: NO_INPUT,
      output: one("Server"),
      handle: async () => presentServer(await serverProfile.get()),
    }),
    apiRoute({
      method: "PUT",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "describeServer",
      path: "/admin/server",
      summary: "Changes what this server says about itself, and who signs up.",
      description: "What is left out stays as it is.",
      input: CHANGE,
      example: { name: "Our neighbourhood" },
      output: one("Server"),
      handle: async ({ user, input }) => {
        const { registration, ...texts } = input;
        const before = await serverProfile.get();
        await serverProfile.save(user, {
          name: texts.name ?? before.name,
          description: texts.description ?? before.description,
          rules: texts.rules ?? before.rules,
          registration:
            registration === undefined
              ? before.registration
              : registration === "open" ||
                  registration === "approval" ||
                  registration === "closed"
                ? registration
                : null,
        });
        return presentServer(await serverProfile.get());
      },
    }),
  ];
}

function presentServer(server: ShownServer): WireRecord {
  return {
    Name: server.name,
    Description: server.description,
    Rules: server.rules,
    Registration: server.signUp,
  };
}
