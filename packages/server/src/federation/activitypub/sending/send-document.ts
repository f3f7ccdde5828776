import {
  buildCollection,
  buildCollectionPage,
  CONTENT_TYPE,
  serialize,
  withContext,
  type JsonObject,
} from "@kith/activitypub";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "../../../lib/json-schema.ts";
import type { Page } from "../../../features/page.ts";
import { readInput } from "../../../http/input/input.ts";

const PAGE_SIZE = 20;
const PAGE_INPUT = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});

/** Sends a document with the one content type that every peer accepts. */
export function sendDocument(
  reply: FastifyReply,
  document: JsonObject,
  maxAgeSeconds = 0,
): FastifyReply {
  return reply
    .headers({
      "content-type": CONTENT_TYPE,
      accept: CONTENT_TYPE,
      vary: "Accept, Signature",
      "cache-control":
        maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : "no-store",
    })
    .send(
      Buffer.from(
        // A stored document is sent unchanged: its proof covers its members.
        serialize("@context" in document ? document : withContext(document)),
      ),
    );
}

/** An ordered collection, as one viewer may see it. */
export type Listing = {
  readonly id: string;
  readonly totalItems: number;
  /** Absent if the viewer may know the number only: pages are empty then. */
  readonly list?: (page: Page) => Promise<(string | JsonObject)[]>;
};

type Part = {
  readonly count: number;
  readonly list: (page: Page) => Promise<(string | JsonObject)[]>;
};

/** Concatenates several lists. */
export function inOneList(
  parts: readonly Part[],
): Pick<Required<Listing>, "totalItems" | "list"> {
  return {
    totalItems: parts.reduce((sum, { count }) => sum + count, 0),
    list: async ({ offset, limit }) => {
      const items: (string | JsonObject)[] = [];
      let before = 0;
      for (const { count, list } of parts) {
        const start = Math.max(0, offset - before);
        const left = Math.min(limit - items.length, count - start);
        before += count;
        if (left > 0)
          items.push(...(await list({ offset: start, limit: left })));
      }
      return items;
    },
  };
}

/**
 * Sends a collection, or the requested page of it.
 * @throws {KithError} `bad_request` for a page that is not a number from 1
 */
export async function sendCollection(
  request: FastifyRequest,
  reply: FastifyReply,
  listing: Listing,
): Promise<FastifyReply> {
  const { id, totalItems, list } = listing;
  const { page } = readInput(PAGE_INPUT, request.parameters);
  const last = Math.max(1, Math.ceil(totalItems / PAGE_SIZE));
  const at = (number: number) => `${id}?page=${number}`;
  if (page === undefined)
    return sendDocument(
      reply,
      buildCollection({
        id,
        type: "OrderedCollection",
        totalItems,
        first: at(1),
        ...(list ? { last: at(last) } : {}),
      }),
    );
  const items = list
    ? await list({ offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE })
    : [];
  return sendDocument(
    reply,
    buildCollectionPage({
      id: at(page),
      partOf: id,
      items,
      totalItems,
      ...(list && page < last ? { next: at(page + 1) } : {}),
      ...(list && page > 1 ? { prev: at(Math.min(page - 1, last)) } : {}),
    }),
  );
}
