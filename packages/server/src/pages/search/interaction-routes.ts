import type { FastifyInstance } from "fastify";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { searchPath } from "./search-view.ts";
import { redirectTo } from "../session/visitor.ts";

const INTERACTION = Type.Object({
  uri: text("The address of a post, or of a person elsewhere"),
});

/** WebFinger names the first; the other is that of further servers. */
const PATHS = ["/authorize_interaction", "/interact"];

/**
 * The page of a post or a person on another site, for people who follow or reply from this
 * server: the search finds both by their addresses, and asks visitors to sign in.
 */
export function interactionRoutes(app: FastifyInstance): void {
  for (const url of PATHS)
    app.get(
      url,
      { config: { access: "anyone", limit: "read" } },
      async (request, reply) => {
        const { uri = "" } = readInput(INTERACTION, request.parameters);
        const address = uri.trim().replace(/^acct:@?/i, "");
        if (address === "")
          throw new KithError(
            "bad_request",
            "The parameter uri must be an address.",
          );
        return redirectTo(reply, searchPath(address, undefined));
      },
    );
}
