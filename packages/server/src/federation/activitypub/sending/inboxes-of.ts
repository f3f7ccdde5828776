import type { Person, Recipient } from "../../../features/people/index.ts";
import type { Delivery } from "../../delivery/delivery.ts";

/** One POST to each shared inbox, and one to each person whose server has none. */
export function inboxesOf(
  author: Person,
  recipients: readonly Recipient[],
): Delivery[] {
  const { userId } = author;
  if (userId === null) return [];
  const urls = new Set(
    recipients.flatMap(
      ({ addresses }) => addresses.sharedInboxUri ?? addresses.inboxUri ?? [],
    ),
  );
  return [...urls].map((url) => ({
    protocol: "activitypub",
    url,
    place: url,
    senderUserId: userId,
    recipientId: null,
  }));
}
