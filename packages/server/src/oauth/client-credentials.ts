import type { FastifyRequest } from "fastify";
import { OauthError, type AppCredentials } from "../features/oauth/index.ts";
import { readInput, text } from "../http/input/input.ts";
import { Type } from "../lib/json-schema.ts";

const BODY = Type.Object({
  client_id: text("The app, as it was registered"),
  client_secret: text("Its secret; a public app has none"),
});

/**
 * Reads how an app names itself: by HTTP Basic or among the parameters (RFC 6749, section
 * 2.3.1).
 * @throws {OauthError} `invalid_client` if it does not, `invalid_request` if it does twice
 */
export function readClientCredentials(request: FastifyRequest): AppCredentials {
  const { client_id: clientId, client_secret: secret = "" } = readInput(
    BODY,
    request.parameters,
  );
  const basic = readBasic(request.headers.authorization);
  if (basic) {
    const isOther = clientId !== undefined && clientId !== basic.clientId;
    if (isOther || secret !== "")
      throw new OauthError(
        "invalid_request",
        "The credentials of the app must be given once.",
      );
    return basic;
  }
  if (clientId === undefined || clientId === "")
    throw new OauthError(
      "invalid_client",
      "The parameter client_id must be given.",
    );
  return { clientId, ...(secret !== "" && { secret }) };
}

function readBasic(header = ""): AppCredentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 0)
    throw new OauthError(
      "invalid_client",
      "The header has no name and secret.",
    );
  const secret = decodePart(pair.slice(colon + 1));
  return {
    clientId: decodePart(pair.slice(0, colon)),
    ...(secret !== "" && { secret }),
  };
}

/** Both parts are encoded as in a form before they are joined. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}
