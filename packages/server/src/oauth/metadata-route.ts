import type { FastifyInstance } from "fastify";
import { SCOPES } from "../features/oauth/index.ts";

/** Tells programs where and how to get tokens (RFC 8414). */
export function metadataRoute(
  app: FastifyInstance,
  { baseUrl }: { readonly baseUrl: string },
): void {
  const metadata = JSON.stringify({
    issuer: `${baseUrl}/`,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    app_registration_endpoint: `${baseUrl}/api/v1/apps`,
    service_documentation: `${baseUrl}/api/docs`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "client_credentials"],
    token_endpoint_auth_methods_supported: [
      ...["client_secret_basic", "client_secret_post", "none"],
    ],
    revocation_endpoint_auth_methods_supported: [
      ...["client_secret_basic", "client_secret_post", "none"],
    ],
    code_challenge_methods_supported: ["S256"],
  });
  app.get(
    "/.well-known/oauth-authorization-server",
    { config: { access: "anyone", limit: "read" } },
    async (_request, reply) =>
      reply
        .header("cache-control", "public, max-age=300")
        .type("application/json; charset=utf-8")
        .send(metadata),
  );
}
