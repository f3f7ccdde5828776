import { loadJsonLd } from "@kith/activitypub";

/** JSON-LD in this thread: the vectors are not hostile to the machine. */
export const jsonLd = await loadJsonLd();
