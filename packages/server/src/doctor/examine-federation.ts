import type { Config } from "../config/config.ts";
import type { Accounts, Administration } from "../features/accounts/index.ts";
import { sendLoopBack } from "../federation/activitypub/authority/loop-back.ts";
import { createUris } from "../federation/activitypub/records/uris.ts";
import { skipped, type Finding } from "../lib/finding.ts";
import type { GuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import type { Clock } from "../lib/time/clock.ts";
import { compareKeys } from "./examine-base-url.ts";
import { examineDiscovery } from "./examine-discovery.ts";
import { examineLoopBack } from "./examine-loop-back.ts";

type FederationDeps = {
  readonly config: Config;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
};

/** Examines discovery, and whether a signed delivery to ourselves verifies. */
export async function examineFederation(
  { config, clock, fetch }: FederationDeps,
  {
    accounts,
    administration,
  }: {
    readonly accounts: Pick<Accounts, "getServerKey">;
    readonly administration: Pick<Administration, "list">;
  },
): Promise<Finding[]> {
  const { baseUrl, baseHost: handleHost, protocols } = config;
  const uris = createUris(baseUrl);
  const outside = { baseUrl, handleHost, clock, fetch };
  const active = { state: "active" } as const;
  const [anyAccount] = await administration.list(active, {
    offset: 0,
    limit: 1,
  });
  const username = anyAccount?.username;
  const actorOf = protocols.activitypub ? uris.actor : undefined;
  const found = await examineDiscovery({ ...outside, actorOf }, username);
  if (!protocols.activitypub)
    return [
      ...found,
      skipped(
        "delivery",
        "ActivityPub is disabled, so no requests are signed.",
      ),
    ];
  const { publicPem } = await accounts.getServerKey();
  const served = await readServedKey(fetch, uris.instance);
  const loopBack = { accounts, clock, fetch, uris };
  return [
    compareKeys(publicPem, served),
    ...found,
    ...(await examineLoopBack((form) => sendLoopBack(loopBack, form))),
  ];
}

async function readServedKey(
  fetch: GuardedFetch,
  url: string,
): Promise<string | undefined> {
  try {
    const { body } = await fetch.request({
      method: "GET",
      url,
      headers: { accept: "application/activity+json" },
      maxBytes: 1024 * 1024,
    });
    const { publicKey } = JSON.parse(Buffer.from(body).toString()) as {
      publicKey?: { publicKeyPem?: unknown };
    };
    const pem = publicKey?.publicKeyPem;
    return typeof pem === "string" ? pem : undefined;
  } catch {
    return undefined;
  }
}
