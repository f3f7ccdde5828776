import type { InvitationState } from "../../../../features/invitations/index.ts";

/** The English texts of the pages about invitations. */
export const englishInvitations = {
  title: "Invitations",
  create: "Invite",
  uses: "For how many accounts",
  days: "For how many days",
  made: "The link of the invitation",
  once: "Send it to the people you invite. It is shown only once.",
  none: "No invitations yet.",
  off: "Invitations are switched off on this server.",
  beyond: "An invitation is for 1 to 1000 accounts, and for 1 to 365 days.",
  number: "No.",
  by: "By",
  state: "State",
  used: "Used",
  until: "Until",
  revoke: "Take back",
  action: "Action",
  gone: "There is no such invitation.",
  states: {
    open: "open",
    used_up: "used up",
    expired: "too old",
    revoked: "taken back",
  } satisfies Record<InvitationState, string>,
};
