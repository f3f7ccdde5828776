import { buildHcard, buildWebfinger, webfingerLinks } from "@kith/diaspora";
import {
  FetchRefused,
  type GuardedFetch,
} from "../../packages/server/src/lib/http-client/guarded-fetch.ts";
import type { VectorPerson } from "./file.ts";

/** A request sent by the server. */
export type Sent = { readonly url: string; readonly body: string };

/** The other servers, as described by the file. */
export type FrozenNetwork = {
  readonly fetch: GuardedFetch;
  /** Every POST since the last reset. */
  readonly sent: Sent[];
};

/**
 * A network that serves only the WebFinger documents and hCards of discoverable
 * people, and accepts everything sent to them.
 */
export function createFrozenNetwork(
  people: readonly VectorPerson[],
): FrozenNetwork {
  const documents = new Map<string, string>();
  const hosts = new Set<string>();
  for (const person of people)
    if (person.discoverable && !person.local) {
      const baseUrl = serverOf(person);
      hosts.add(new URL(baseUrl).host);
      for (const [url, document] of describe(person, baseUrl))
        documents.set(url, document);
    }
  const sent: Sent[] = [];
  const answer = (status: number, url: string, body = "") => ({
    status,
    headers: {},
    body: Buffer.from(body),
    url,
  });
  return {
    sent,
    fetch: {
      request: async ({ method, url, body = "" }) => {
        const { host } = new URL(url);
        if (!hosts.has(host))
          throw new FetchRefused("network", `${host}: nothing is there`);
        if (method === "POST") {
          sent.push({ url, body: Buffer.from(body).toString("utf8") });
          return answer(202, url);
        }
        const document = documents.get(decodeURIComponent(url));
        return answer(document === undefined ? 404 : 200, url, document);
      },
      close: async () => {},
    },
  };
}

/** A person's server: the host of the handle, with https. */
export function serverOf({ handle }: Pick<VectorPerson, "handle">): string {
  return `https://${handle.slice(handle.indexOf("@") + 1)}/`;
}

function describe(person: VectorPerson, baseUrl: string): [string, string][] {
  const { handle, guid } = person;
  const username = handle.slice(0, handle.indexOf("@"));
  const links = webfingerLinks({ guid, baseUrl, username });
  const image = `${baseUrl}images/${guid}.png`;
  const card = buildHcard({
    guid,
    nickname: username,
    fullName: username.slice(0, 70),
    firstName: "Somebody",
    lastName: "",
    publicKeyPem: person.public_key_pem,
    searchable: true,
    imageUrl: image,
    imageUrlMedium: image,
    imageUrlSmall: image,
    baseUrl,
  });
  return [
    [
      `${baseUrl}.well-known/webfinger?resource=acct:${handle}`,
      buildWebfinger({ handle, aliases: [], links }),
    ],
    [`${baseUrl}hcard/users/${guid}`, card],
  ];
}
