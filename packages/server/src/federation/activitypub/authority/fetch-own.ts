import {
  isFetchedContentType,
  parseHttpUrl,
  parseJson,
  readActor,
  readCollection,
  readPlainly,
  sameOrigin,
  type Collection,
  type FetchDocument,
  type JsonLd,
  type JsonObject,
  type RemoteActor,
} from "@kith/activitypub";

import { FetchRefused } from "../../../lib/http-client/fetch-refused.ts";

/** The dependencies of reading a fetched document. */
export type FetchOwnDeps = {
  readonly fetchDocument: FetchDocument;
  readonly jsonLd: Pick<JsonLd, "compact">;
};

/**
 * Fetches an object from its own id. A document with another id is not trusted:
 * it is fetched under that id, once.
 * @returns undefined if no object with its own id is available
 * @throws {ActivityPubError} if the response is invalid
 * @see protocol section 11.4
 */
export async function fetchObject(
  deps: FetchOwnDeps,
  uri: string,
): Promise<JsonObject | undefined> {
  const first = await fetchOwn(deps, uri);
  if (first.kind !== "elsewhere") return first.object;
  const second = await fetchOwn(deps, first.id);
  return second.object;
}

/**
 * Fetches an actor from its own id: a document at another URL, or after a
 * redirect, does not count.
 * @throws {ActivityPubError} if the response is no actor
 */
export async function fetchActor(
  deps: FetchOwnDeps,
  uri: string,
): Promise<RemoteActor | undefined> {
  const actor = await askForActor(deps, uri);
  return actor === "gone" ? undefined : actor;
}

/**
 * The same, with `gone` if its server says so.
 * @throws {ActivityPubError} if the response is no actor
 */
export async function askForActor(
  { fetchDocument, jsonLd }: FetchOwnDeps,
  uri: string,
): Promise<RemoteActor | "gone" | undefined> {
  const fetched = await fetchDocument(uri);
  if (!fetched || !sameOrigin(fetched.finalUrl ?? uri, uri)) return undefined;
  if (fetched.status === 404 || fetched.status === 410) return "gone";
  if (fetched.status !== 200 || (fetched.finalUrl ?? uri) !== uri)
    return undefined;
  if (!isFetchedContentType(fetched.contentType)) return undefined;
  const actor = readActor(await readPlainly(parseJson(fetched.body), jsonLd));
  return actor.id === uri ? actor : undefined;
}

/**
 * The same, where a server that is overloaded or failing counts as one that does not answer.
 * @throws {FetchRefused} if it is
 */
export async function askForActorNow(
  deps: FetchOwnDeps,
  uri: string,
): Promise<RemoteActor | "gone" | undefined> {
  let failure: number | undefined;
  const fetchDocument: FetchDocument = async (url) => {
    const answer = await deps.fetchDocument(url);
    if (answer && isSilent(answer)) failure = answer.status;
    return answer;
  };
  const actor = await askForActor({ ...deps, fetchDocument }, uri);
  if (failure !== undefined)
    throw new FetchRefused("network", `An actor was answered with ${failure}`);
  return actor;
}

/** Fetches a collection, or a page of one, from its own server. */
export async function fetchCollection(
  { fetchDocument, jsonLd }: FetchOwnDeps,
  uri: string,
): Promise<Collection | undefined> {
  const fetched = await fetchDocument(uri);
  if (fetched?.status !== 200 || !isFetchedContentType(fetched.contentType))
    return undefined;
  if (!sameOrigin(fetched.finalUrl ?? uri, uri)) return undefined;
  return readCollection(await readPlainly(parseJson(fetched.body), jsonLd));
}

type Answer = Awaited<ReturnType<FetchDocument>>;

/** Is the response inconclusive, because the server is down or overloaded? */
function isSilent(answer: Answer): boolean {
  return !answer || answer.status >= 500 || answer.status === 429;
}

/**
 * A refused signature is inconclusive, too: the other server may be unable to
 * fetch our key at the moment.
 * @param note called for each inconclusive response
 */
export function notingSilence(
  fetchDocument: FetchDocument,
  note: () => void,
): FetchDocument {
  return async (url) => {
    const answer = await fetchDocument(url);
    if (isSilent(answer) || answer?.status === 401) note();
    return answer;
  };
}

/**
 * Fetches an object from its own id. `gone`: its server says so; `missing`: it
 * is unavailable to us.
 */
export async function askWhetherGone(
  { fetchDocument }: Pick<FetchOwnDeps, "fetchDocument">,
  uri: string,
): Promise<"gone" | "missing" | "there" | "unreachable"> {
  const fetched = await fetchDocument(uri);
  if (!fetched || isSilent(fetched)) return "unreachable";
  const { status, finalUrl = uri, contentType, body } = fetched;
  if (!sameOrigin(finalUrl, uri)) return "there";
  if (status === 410) return "gone";
  if (status === 404) return "missing";
  if (status !== 200 || !isFetchedContentType(contentType)) return "there";
  const object: JsonObject = parseJson(body);
  return object["type"] === "Tombstone" && object["id"] === uri
    ? "gone"
    : "there";
}

type Fetched =
  | { readonly kind: "own"; readonly object: JsonObject }
  | { readonly kind: "elsewhere"; readonly id: string; readonly object?: never }
  | { readonly kind: "nothing"; readonly object?: never };

async function fetchOwn(
  { fetchDocument, jsonLd }: FetchOwnDeps,
  uri: string,
): Promise<Fetched> {
  const fetched = await fetchDocument(uri);
  if (fetched?.status !== 200 || !isFetchedContentType(fetched.contentType))
    return { kind: "nothing" };
  const object = await readPlainly(parseJson(fetched.body), jsonLd);
  const { id } = object;
  // After a redirect the response counts for the server that gave it.
  if (id === uri && sameOrigin(fetched.finalUrl ?? uri, uri))
    return { kind: "own", object };
  return typeof id === "string" && id !== uri && parseHttpUrl(id)
    ? { kind: "elsewhere", id }
    : { kind: "nothing" };
}
