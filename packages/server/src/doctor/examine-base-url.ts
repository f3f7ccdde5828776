import { isPrivateAddress } from "../lib/http-client/addresses.ts";
import type { Clock } from "../lib/time/clock.ts";
import { codeOf, messageOf } from "../lib/errors.ts";
import { failed, ok, skipped, warning, type Finding } from "../lib/finding.ts";
import { resolveBySystem } from "../lib/http-client/fetch-dns.ts";
import type { GuardedFetch } from "../lib/http-client/guarded-fetch.ts";

export type OutsideDeps = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /**
   * Allows private addresses: a server in a private network may resolve itself
   * there.
   */
  readonly fetch: Pick<GuardedFetch, "request">;
};

const MAX_BYTES = 1024 * 1024;
/**
 * Other servers reject signatures older than a few minutes, some older than 30
 * s.
 */
const MAX_CLOCK_OFF_MS = 30_000;

export function examineScheme({ baseUrl }: OutsideDeps): Finding {
  const check = "base URL";
  const url = new URL(baseUrl);
  if (url.protocol === "https:") return ok(check, `${baseUrl} is https.`);
  // The configuration allows http on loopback only.
  return warning(
    check,
    `${baseUrl} is for this machine only: no other server can reach it.`,
    "Before people sign up, set KITH_BASE_URL to the https address that others will use. It can never change.",
  );
}

export async function examineName({ baseUrl }: OutsideDeps): Promise<Finding> {
  const check = "base URL's name";
  const { hostname } = new URL(baseUrl);
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  try {
    const found = await resolveBySystem(name);
    const addresses = found.map(({ address }) => address);
    const list = addresses.join(", ");
    if (baseUrl.startsWith("https:") && addresses.every(isPrivateAddress))
      return warning(
        check,
        `${name} leads, from here, to ${list}: no public address.`,
        "See that the public name servers have a public address of this server. What follows says nothing about the way from outside.",
      );
    return ok(check, `${name} leads to ${list}.`);
  } catch (error) {
    return failed(
      check,
      `${name} cannot be resolved (${codeOf(error) ?? messageOf(error)}).`,
      "Add an A or AAAA record for it to the name servers of the domain, or correct KITH_BASE_URL.",
    );
  }
}

/** Requests this server through its public URL. */
export async function examineReach({
  baseUrl,
  clock,
  fetch,
}: OutsideDeps): Promise<Finding[]> {
  const reach = "base URL's answer";
  const sentAtMs = clock.now().getTime();
  try {
    const { status, headers } = await fetch.request({
      method: "GET",
      url: `${baseUrl}/healthz`,
      maxBytes: MAX_BYTES,
    });
    const nowMs = (sentAtMs + clock.now().getTime()) / 2;
    return [
      status === 200
        ? ok(reach, `${baseUrl} answers.`)
        : failed(
            reach,
            `${baseUrl}/healthz answers ${status}.`,
            "Another program, or a proxy that does not find Kith, answers there. Let the proxy pass everything on to KITH_PORT.",
          ),
      examineClock(headers["date"], nowMs),
    ];
  } catch (error) {
    return [
      failed(
        reach,
        `${baseUrl} cannot be reached: ${messageOf(error)}.`,
        "Is kith serve running? Does the proxy have a valid certificate, and does it pass everything on to KITH_PORT? Is the firewall open?",
      ),
      skipped("clock", "The answer had no date."),
    ];
  }
}

function examineClock(date: string | undefined, nowMs: number): Finding {
  const theirs = Date.parse(date ?? "");
  if (!Number.isFinite(theirs))
    return skipped("clock", "The answer had no Date to compare with.");
  // HTTP dates have whole seconds.
  const offMs = Math.max(0, Math.abs(nowMs - theirs - 500) - 500);
  const seconds = Math.round(offMs / 1000);
  return offMs <= MAX_CLOCK_OFF_MS
    ? ok("clock", `The clock is right, to ${seconds + 1} s.`)
    : failed(
        "clock",
        `The clock of this machine and that of the answer differ by ${seconds} s.`,
        "Let NTP set the clocks of this machine and of its proxy: other servers refuse what is signed at another time.",
      );
}

/** Does the public URL lead to this server, and not to another one? */
export function compareKeys(own: string, served: string | undefined): Finding {
  const check = "base URL's server";
  if (served === undefined)
    return failed(
      check,
      "The actor of the server cannot be read at its public address.",
      "See that the proxy passes on paths below /api/ and the Accept header as they are.",
    );
  return served.trim() === own.trim()
    ? ok(check, "This server answers there.")
    : failed(
        check,
        "Another server answers there: its key is not in this database.",
        "Do KITH_BASE_URL, KITH_DATABASE_URL and KITH_DATA_DIR belong together? Is it a server that was moved, or a copy of it?",
      );
}
