import type { RemoteActor } from "@kith/activitypub";
import type { Federation } from "../federation.ts";
import type { SignedIn } from "../../features/accounts/index.ts";
import type { UserId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import {
  fetchByUrl,
  findByUri,
} from "../../federation/activitypub/actors/find-by-url.ts";
import {
  fetchByPage,
  findKnownByPage,
} from "../../federation/diaspora/fetch/find-by-page.ts";
import { fetchForUser } from "../../federation/diaspora/records/follow-links.ts";
import { notePersonFound } from "../../federation/diaspora/fetch/read-stream.ts";
import {
  createFindAddress,
  isAddress,
  type Found,
} from "../../federation/find-address.ts";
import { withTimeout } from "../../lib/time/timeout.ts";

/** As long as a visitor waits for a page. */
const TIMEOUT_MS = 9_500;

/** The look-ups on other servers that local users may cause. */
export function visitsOf(federation: Federation) {
  const { config, diaspora, discovery, receiving } = federation;
  const { protocols } = config;
  const note = async (person: Person | undefined, by: UserId) => {
    if (person && protocols.diaspora)
      await notePersonFound(diaspora, person, by);
  };
  const findAddress = findAddressIn(federation);
  const findNamed = async (handle: string) => {
    const person = await discovery.search(handle);
    return person && { person };
  };
  return {
    discover: async (handle: string, by: UserId) => {
      const person = await discovery.search(handle);
      await note(person, by);
      return person;
    },
    find: async (text: string, by: SignedIn): Promise<Found | undefined> => {
      const found = isAddress(text)
        ? await findAddress(text, by)
        : await findNamed(text);
      await note(found?.person, by.userId);
      return found;
    },
    fetchLinked: protocols.diaspora
      ? (link: { author: string; guid: string }, by: UserId) =>
          withTimeout(fetchForUser(receiving, link, by), TIMEOUT_MS)
      : undefined,
  };
}

/** By either enabled protocol, ActivityPub first. */
function findAddressIn({
  config,
  shared,
  activityPub,
  discovery,
  receiving,
}: Federation) {
  const { protocols } = config;
  const byUrl = {
    ...activityPub,
    takeActor: (actor: RemoteActor) =>
      discovery.searchActor(actor.id, { actor }),
  };
  const { search, searchPage } = discovery;
  const byPage = { ...receiving, search };
  return createFindAddress({
    ...shared,
    ...shared.hostPolicies,
    known: [
      ({ href }) => findByUri(byUrl, href),
      (url) => findKnownByPage(receiving, url),
    ],
    asked: [
      ...(protocols.activitypub
        ? [({ href }: URL) => fetchByUrl(byUrl, href)]
        : []),
      ...(protocols.diaspora
        ? [(url: URL, by: UserId) => fetchByPage(byPage, url, by)]
        : []),
      async (url) => {
        const person = await searchPage(url);
        return person && { kind: "person", person };
      },
    ],
  });
}
