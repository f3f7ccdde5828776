import type { Protocol } from "../../db/schema/remote-person.ts";
import type { PersonId, UserId } from "../../features/ids.ts";

/** One POST to one inbox. */
export type Delivery = {
  readonly protocol: Protocol;
  readonly url: string;
  /** The destination as far as order is concerned: the inbox, or one beside it. */
  readonly place: string;
  /** The local user in whose name it is sent; null for the server's own messages. */
  readonly senderUserId: UserId | null;
  /** The recipient of a message that is encrypted when it is sent. */
  readonly recipientId: PersonId | null;
  /** Only the recipient's own WebFinger says that the inbox is on this host. */
  readonly isHostClaimed?: boolean;
};
