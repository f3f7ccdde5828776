import type {
  NewPushSubscription,
  PushPolicy,
  PushSubscription,
} from "../../features/push/index.ts";
import type { Input } from "../kit/input.ts";
import { invalid } from "../kit/refusals.ts";
import type { Entity } from "../kit/wire.ts";

/** The kinds that clients choose among; those of which there is none here, too. */
const ALERTS = [
  ...["mention", "status", "reblog", "follow", "follow_request"],
  ...["favourite", "poll", "update", "quote", "quoted_update"],
  ...["admin.sign_up", "admin.report"],
];

const POLICIES = ["all", "followed", "follower", "none"] as const;

/** @throws {Refusal} for what is missing */
export function readSubscription(input: Input): NewPushSubscription {
  const given = input.record("subscription");
  const keys = given?.record("keys");
  const endpoint = given?.filled("endpoint");
  const p256dh = keys?.filled("p256dh");
  const auth = keys?.filled("auth");
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw invalid("Endpoint and keys can't be blank");
  return {
    target: { endpoint, p256dh, auth },
    encoding: given?.flag("standard") === true ? "aes128gcm" : "aesgcm",
    alerts: readAlerts(input) ?? [],
    policy: readPolicy(input) ?? "all",
  };
}

/** @returns undefined where nothing is chosen */
export function readAlerts(input: Input): string[] | undefined {
  const alerts = input.record("data")?.record("alerts");
  return alerts && ALERTS.filter((name) => alerts.flag(name) === true);
}

/** Some clients put it beside the data. @throws {Refusal} for another one */
export function readPolicy(input: Input): PushPolicy | undefined {
  const text = input.record("data")?.filled("policy") ?? input.filled("policy");
  if (text === undefined) return undefined;
  const policy = POLICIES.find((it) => it === text);
  if (policy === undefined) throw invalid("Policy is not included in the list");
  return policy;
}

/** @param serverKey in base64url */
export function presentSubscription(
  { id, target, encoding, alerts, policy }: PushSubscription,
  serverKey: string,
): Entity {
  return {
    // A number: clients decode it as one.
    id,
    endpoint: target.endpoint,
    standard: encoding === "aes128gcm",
    alerts: Object.fromEntries(
      ALERTS.map((name) => [name, alerts.includes(name)]),
    ),
    server_key: serverKey,
    policy,
  };
}
