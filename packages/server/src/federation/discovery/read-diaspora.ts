import {
  DiasporaError,
  parseHcard,
  parseWebfinger,
  type WebfingerPerson,
} from "@kith/diaspora";
import { NO_ADDRESSES } from "../../features/people/index.ts";
import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import { formatHandle } from "../../lib/handle.ts";
import type { DiscoveredPart } from "./read-activitypub.ts";
import type { WebfingerAnswer } from "./webfinger.ts";

const MAX_HCARD_BYTES = 512 * 1024;

/** There is no link to the diaspora* side, or its target is gone. */
export class SpeaksNoDiaspora extends Error {}

/**
 * Reads a person from a WebFinger document and the hCard that it links to.
 * @throws {SpeaksNoDiaspora}
 * @throws if the card is broken or unavailable
 */
export async function fetchDiasporaPart(
  fetch: GuardedFetch,
  fingered: WebfingerAnswer,
): Promise<DiscoveredPart> {
  const found = readLinks(fingered);
  const answer = await fetch.request({
    method: "GET",
    url: found.hcardUrl,
    headers: { accept: "text/html" },
    maxBytes: MAX_HCARD_BYTES,
    accept2xxOnly: true,
  });
  if (answer.status === 404 || answer.status === 410)
    throw new SpeaksNoDiaspora("The hCard is gone");
  if (answer.status !== 200)
    throw new Error(`The hCard answered ${answer.status}`);
  const card = parseHcard(new TextDecoder().decode(answer.body), {
    ...(found.guid === undefined ? {} : { guid: found.guid }),
    ...(found.publicKeyPem === undefined
      ? {}
      : { publicKeyPem: found.publicKeyPem }),
  });
  return {
    guid: card.guid,
    publicKeyPem: card.publicKeyPem,
    keys: [],
    addresses: {
      ...NO_ADDRESSES,
      seedLocation: found.seedLocation,
      profileUrl: found.profileUrl ?? null,
    },
    profile: {
      firstName: card.firstName,
      lastName: card.lastName,
      fullName: `${card.firstName} ${card.lastName}`.trim(),
      imageUrl: resolveUrl(card.imageUrl, answer.url),
      imageUrlMedium: resolveUrl(card.imageUrlMedium, answer.url),
      imageUrlSmall: resolveUrl(card.imageUrlSmall, answer.url),
      searchable: card.searchable,
    },
  };
}

function readLinks({ json, subject }: WebfingerAnswer): WebfingerPerson {
  try {
    return parseWebfinger(json, formatHandle(subject));
  } catch (error) {
    const lacksLinks =
      error instanceof DiasporaError && error.code === "incomplete_document";
    throw lacksLinks ? new SpeaksNoDiaspora(error.message) : error;
  }
}

/** Some servers give paths, relative to the card. */
function resolveUrl(src: string, cardUrl: string): string {
  const url = URL.parse(src, cardUrl);
  return url && /^https?:$/.test(url.protocol) ? url.href : "";
}
