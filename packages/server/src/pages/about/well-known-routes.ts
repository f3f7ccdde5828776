import type { FastifyInstance } from "fastify";
import { KithError } from "../../lib/errors.ts";
import { redirectTo, type PagesContext } from "../session/visitor.ts";

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/** The addresses of the password page, for programs, and of the contact for security holes. */
export function wellKnownRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "anyone", limit: "read" } as const;
  // https://w3c.github.io/webappsec-change-password-url/
  app.get("/.well-known/change-password", { config }, (_request, reply) =>
    redirectTo(reply, "/settings/account"),
  );
  app.get("/.well-known/security.txt", { config }, async (_request, reply) => {
    const { contactMail } = await context.serverProfile.get();
    if (contactMail === "")
      throw new KithError("not_found", "There is no contact.");
    return reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(securityText(context, contactMail));
  });
}

/** RFC 9116, section 2.5: the contact and the end of its validity are required. */
function securityText(
  { baseUrl, clock }: PagesContext,
  contactMail: string,
): string {
  const day = Math.floor(clock.now().getTime() / DAY_MS);
  const expires = new Date((day + VALID_DAYS) * DAY_MS);
  return [
    `Contact: mailto:${encodeURI(contactMail)}`,
    `Expires: ${expires.toISOString()}`,
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    "Preferred-Languages: en, de",
    "",
  ].join("\n");
}
