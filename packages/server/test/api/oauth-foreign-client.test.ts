import assert from "node:assert/strict";
import { test } from "node:test";
import * as oauth from "oauth4webapi";
import { newUser } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  CALLBACK,
  decideOn,
  registerClient,
} from "../support/sign-in/oauth-app.ts";

const ORIGIN = "https://kith.example";

/** A library of others, which refuses whatever the standards do not allow. */
forEachDatabase((kind) => {
  // The library speaks https alone.
  const kith = useKith(kind, {
    env: { KITH_BASE_URL: ORIGIN, KITH_REGISTRATION: "open" },
  });
  const HERE = {
    [oauth.customFetch]: (url: string, init: object) =>
      fetch(url.replace(ORIGIN, kith().baseUrl), init),
  };

  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(ORIGIN);
    const answer = await oauth.discoveryRequest(issuer, {
      ...{ ...HERE, algorithm: "oauth2" },
    });
    return oauth.processDiscoveryResponse(issuer, answer);
  }

  for (const [name, authOf] of [
    ["in the header", oauth.ClientSecretBasic],
    ["in the body", oauth.ClientSecretPost],
    ["by the verifier alone", () => oauth.None()],
  ] as const)
    test(`a library goes the whole way, and proves itself ${name}`, async () => {
      const server = await discover();
      const registered = await registerClient(kith().baseUrl);
      const client = { client_id: registered.id };
      const auth = authOf(registered.secret);
      const user = await newUser(kith().baseUrl, `user${(users += 1)}`);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const there = new URL(server.authorization_endpoint ?? "");
      there.search = new URLSearchParams({
        ...{ client_id: client.client_id, redirect_uri: CALLBACK },
        ...{ response_type: "code", scope: "read write", state },
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }).toString();
      const decided = await decideOn(user, there.pathname + there.search);
      const location = new URL(decided.headers.get("location") ?? "");
      const parameters = oauth.validateAuthResponse(
        ...([server, client, location, state] as const),
      );
      const answer = await oauth.authorizationCodeGrantRequest(
        ...([server, client, auth, parameters, CALLBACK, verifier] as const),
        HERE,
      );
      const granted = await oauth.processAuthorizationCodeResponse(
        ...([server, client, answer] as const),
      );
      assert.equal(granted.token_type, "bearer");
      assert.equal(granted.scope, "read write");
      const { access_token: token } = granted;
      const posts = new URL(`${ORIGIN}/api/v0/posts`);
      const call = () =>
        oauth.protectedResourceRequest(
          ...([token, "GET", posts, undefined, undefined] as const),
          HERE,
        );
      assert.equal((await call()).status, 200);
      const ended = await oauth.revocationRequest(
        ...([server, client, auth, token] as const),
        HERE,
      );
      await oauth.processRevocationResponse(ended);
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
        const [challenge] = error.cause;
        assert.equal(challenge?.parameters.error, "invalid_token");
        return true;
      });
    });
  let users = 0;

  test("a library gets a token for the app itself, and understands refusals", async () => {
    const server = await discover();
    const { id: client_id, secret } = await registerClient(kith().baseUrl);
    const client = { client_id };
    const ask = async (by: string, scope: string) =>
      oauth.processClientCredentialsResponse(
        ...([server, client] as const),
        await oauth.clientCredentialsGrantRequest(
          ...([server, client, oauth.ClientSecretPost(by), { scope }] as const),
          HERE,
        ),
      );
    const granted = await ask(secret, "read");
    assert.equal(granted.scope, "read");
    const refused = (error: string) => (thrown: unknown) =>
      (thrown instanceof oauth.ResponseBodyError && thrown.error === error) ||
      (thrown instanceof oauth.WWWAuthenticateChallengeError &&
        error === "invalid_client");
    await assert.rejects(ask("wrong", "read"), refused("invalid_client"));
    await assert.rejects(ask(secret, "admin:read"), refused("invalid_scope"));
    await assert.rejects(ask(secret, "none"), refused("invalid_scope"));
  });
});
