import { parseHcard, parseWebfinger } from "@kith/diaspora";
import { NO_ADDRESSES } from "../../features/people/index.ts";
import type { GuardedFetch } from "../../lib/guarded-fetch.ts";
import { formatHandle } from "../../lib/handle.ts";
import type { DiscoveredPart } from "./read-activitypub.ts";
import type { Fingered } from "./webfinger.ts";

const MAX_HCARD_BYTES = 512 * 1024;

/**
 * Reads what a WebFinger answer and the hCard that it names say of a person.
 * @throws where the person does not speak diaspora*, or the card is broken
 */
export async function fetchDiasporaPart(
  fetch: GuardedFetch,
  fingered: Fingered,
): Promise<DiscoveredPart> {
  const found = parseWebfinger(fingered.json, formatHandle(fingered.subject));
  const answer = await fetch.request({
    method: "GET",
    url: found.hcardUrl,
    headers: { accept: "text/html" },
    maxBytes: MAX_HCARD_BYTES,
    accept2xxOnly: true,
  });
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
      imageUrl: card.imageUrl,
      imageUrlMedium: card.imageUrlMedium,
      imageUrlSmall: card.imageUrlSmall,
      searchable: card.searchable,
    },
  };
}
