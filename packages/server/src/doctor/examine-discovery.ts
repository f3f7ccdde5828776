import { messageOf } from "../lib/errors.ts";
import { failed, ok, skipped, type Finding } from "../lib/finding.ts";
import type { GuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import type { OutsideDeps } from "./examine-base-url.ts";

export type ExamineDiscoveryDeps = OutsideDeps & {
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
  /** The actor id of a user; undefined if ActivityPub is disabled. */
  readonly actorOf: ((username: string) => string) | undefined;
};

const MAX_BYTES = 1024 * 1024;
const PROXY =
  "See that the proxy passes on this path, its query, the Host and Accept headers, and the answer's Content-Type as they are.";

/** @param username of a local account, if there is one */
export async function examineDiscovery(
  deps: ExamineDiscoveryDeps,
  username: string | undefined,
): Promise<Finding[]> {
  if (username === undefined)
    return [
      skipped("webfinger", "There is no account yet that could be found."),
      skipped("actor", "There is no account yet that could be shown."),
    ];
  return [
    await examineWebfinger(deps, username),
    await examineActor(deps, username),
  ];
}

async function examineWebfinger(
  { baseUrl, handleHost, fetch }: ExamineDiscoveryDeps,
  username: string,
): Promise<Finding> {
  const subject = `acct:${username}@${handleHost}`;
  // Look-ups ask the host of the handle.
  const { protocol } = new URL(baseUrl);
  const url = `${protocol}//${handleHost}/.well-known/webfinger?resource=${encodeURIComponent(subject)}`;
  return examineDocument({ fetch }, "webfinger", url, {
    accept: "application/jrd+json",
    type: /^application\/jrd\+json\b/,
    key: "subject",
    value: subject,
  });
}

async function examineActor(
  { actorOf, fetch }: ExamineDiscoveryDeps,
  username: string,
): Promise<Finding> {
  if (!actorOf) return skipped("actor", "ActivityPub is switched off.");
  const url = actorOf(username);
  return examineDocument({ fetch }, "actor", url, {
    accept: "application/activity+json",
    type: /^application\/(activity\+json|ld\+json)\b/,
    key: "id",
    value: url,
  });
}

type Expected = {
  readonly accept: string;
  readonly type: RegExp;
  readonly key: string;
  readonly value: string;
};

async function examineDocument(
  { fetch }: { readonly fetch: Pick<GuardedFetch, "request"> },
  check: string,
  url: string,
  { accept, type, key, value }: Expected,
): Promise<Finding> {
  try {
    const { status, headers, body } = await fetch.request({
      method: "GET",
      url,
      headers: { accept },
      maxBytes: MAX_BYTES,
    });
    const given = headers["content-type"] ?? "none";
    if (status !== 200)
      return failed(check, `${url} answers ${status}.`, PROXY);
    if (!type.test(given))
      return failed(check, `${url} has the content type ${given}.`, PROXY);
    const document = JSON.parse(Buffer.from(body).toString()) as Record<
      string,
      unknown
    >;
    return document[key] === value
      ? ok(check, `${url} answers correctly.`)
      : failed(check, `${url} is about another person.`, PROXY);
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? "it is no JSON" : messageOf(error);
    return failed(check, `${url} cannot be read: ${reason}.`, PROXY);
  }
}
