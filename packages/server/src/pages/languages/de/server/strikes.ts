import type { englishStrikes } from "../../en/server/strikes.ts";

export const germanStrikes: typeof englishStrikes = {
  title: "Entscheidungen über dich",
  linkAbout:
    "Was die Moderation über dein Konto entschieden hat, und Widersprüche",
  about:
    "Was die Moderation dieses Servers über dein Konto und deine Texte entschieden hat. Gegen jede Entscheidung kannst du einmal Widerspruch einlegen, innerhalb von 20 Tagen.",
  none: "Die Moderation hat nichts über dich entschieden.",
  suspended: "Warum es gesperrt ist",
  actions: {
    warn: "Du wurdest verwarnt",
    silence: "Dein Konto ist stummgeschaltet",
    suspend: "Dein Konto ist gesperrt",
    remove_post: "Ein Beitrag von dir wurde gelöscht",
    remove_comment: "Ein Kommentar von dir wurde gelöscht",
  },
  ended: {
    warn: "Du wurdest verwarnt",
    silence: "Dein Konto war stummgeschaltet",
    suspend: "Dein Konto war gesperrt",
    remove_post: "Ein Beitrag von dir wurde gelöscht",
    remove_comment: "Ein Kommentar von dir wurde gelöscht",
  },
  message: "Die Moderation sagt",
  noMessage: "Die Moderation hat keinen Grund genannt.",
  excerpt: "Der Text begann so",
  isEnded: "Diese Entscheidung wurde zurückgenommen.",
  appeal: "Dein Widerspruch",
  states: {
    open: "Dein Widerspruch wartet auf eine Antwort.",
    accepted: "Deinem Widerspruch wurde stattgegeben.",
    rejected: "Dein Widerspruch wurde abgelehnt.",
  },
  text: "Warum die Entscheidung falsch ist",
  hint: (most) =>
    `Höchstens ${most} Zeichen. Gegen diese Entscheidung kannst du einmal Widerspruch einlegen.`,
  send: "Widerspruch einlegen",
  sent: "Dein Widerspruch liegt bei der Moderation.",
  tooLate:
    "Gegen diese Entscheidung ist kein Widerspruch möglich: Es gab schon einen, sie ist zu alt, oder sie wurde zurückgenommen.",
  blank: "Schreib, warum die Entscheidung falsch ist.",
  tooLong: (most) => `Ein Widerspruch hat höchstens ${most} Zeichen.`,
  proofEnded: "Melde dich noch einmal an: Diese Seite hat zu lange gewartet.",
};
