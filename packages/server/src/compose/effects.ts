import type { Effects } from "../features/facts.ts";
import { NOTIFY } from "../features/notifications/index.ts";
import { FAN_OUT } from "../federation/outbound/outgoing.ts";

/** The jobs that follow each fact. */
export const EFFECTS: Effects = {
  "post.published": [FAN_OUT, NOTIFY],
  "post.received": [NOTIFY],
  "post.changed": [FAN_OUT, NOTIFY],
  "post.retracted": [FAN_OUT, NOTIFY],
  "pin.changed": [FAN_OUT],
  "comment.created": [FAN_OUT, NOTIFY],
  "comment.changed": [FAN_OUT, NOTIFY],
  "comment.retracted": [FAN_OUT, NOTIFY],
  "like.created": [FAN_OUT, NOTIFY],
  "like.retracted": [FAN_OUT, NOTIFY],
  "event.changed": [FAN_OUT, NOTIFY],
  "event.advanced": [FAN_OUT],
  "event.retracted": [FAN_OUT, NOTIFY],
  "participation.changed": [FAN_OUT, NOTIFY],
  "participation.replied": [FAN_OUT, NOTIFY],
  "calendar.shared": [NOTIFY],
  "calendar.unshared": [NOTIFY],
  "poll.voted": [FAN_OUT],
  "vote.retracted": [FAN_OUT],
  "poll.ended": [NOTIFY],
  "photo.retracted": [FAN_OUT],
  "quote.changed": [FAN_OUT],
  "quote.revoked": [FAN_OUT],
  "contact.changed": [FAN_OUT],
  "sharing.started": [NOTIFY],
  "follow.requested": [NOTIFY],
  "follow.answered": [FAN_OUT],
  "follow.refused": [NOTIFY],
  "contact.moved": [NOTIFY],
  "profile.changed": [FAN_OUT],
  "person.blocked": [FAN_OUT],
  "person.unblocked": [FAN_OUT],
};
