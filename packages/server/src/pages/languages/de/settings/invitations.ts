import type { englishInvitations } from "../../en/settings/invitations.ts";

export const germanInvitations: typeof englishInvitations = {
  title: "Einladungen",
  create: "Einladen",
  uses: "Für wie viele Konten",
  days: "Für wie viele Tage",
  made: "Der Link der Einladung",
  once: "Schick ihn den Leuten, die du einlädst. Er wird nur dieses eine Mal angezeigt.",
  none: "Noch keine Einladungen.",
  off: "Einladungen sind auf diesem Server abgeschaltet.",
  beyond: "Eine Einladung gilt für 1 bis 1000 Konten und für 1 bis 365 Tage.",
  number: "Nr.",
  by: "Von",
  state: "Stand",
  used: "Benutzt",
  until: "Bis",
  revoke: "Zurücknehmen",
  action: "Aktion",
  gone: "Diese Einladung gibt es nicht.",
  states: {
    open: "offen",
    used_up: "aufgebraucht",
    expired: "abgelaufen",
    revoked: "zurückgenommen",
  },
};
