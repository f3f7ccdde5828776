import { say, type englishNotifications } from "../en/notifications.ts";

export const germanNotifications: typeof englishNotifications = {
  title: "Mitteilungen",
  filter: "Welche Mitteilungen du siehst",
  all: "Alle",
  unread: "Ungelesen",
  isNew: "Neu",
  none: "Hier ist noch nichts. Kommentare, Likes, geteilte Beiträge, Erwähnungen und Leute, die dir folgen, erscheinen hier.",
  noneUnread: "Du hast alle gelesen.",
  read: "Als gelesen markieren",
  readAll: "Alle als gelesen markieren",
  newer: "Neuere Mitteilungen",
  older: "Ältere Mitteilungen",
  show: "Ansehen",
  and: "und",
  others: (n) => (n === 1 ? "eine weitere Person" : `${n} weitere Leute`),
  said: {
    comment: say("hat kommentiert", "haben kommentiert"),
    contact: say("folgt dir", "folgen dir"),
    contact_moved: say(
      "ist das neue Konto von jemandem, dem du folgst",
      "sind die neuen Konten von Leuten, denen du folgst",
    ),
    dislike_comment: say(
      "mag deinen Kommentar nicht",
      "mögen deinen Kommentar nicht",
    ),
    dislike_post: say("mag deinen Beitrag nicht", "mögen deinen Beitrag nicht"),
    event_answer: say(
      "hat auf deine Einladung geantwortet",
      "haben auf deine Einladung geantwortet",
    ),
    event_changed: say(
      "hat einen Termin geändert",
      "haben einen Termin geändert",
    ),
    event_invitation: say(
      "lädt dich zu einem Termin ein",
      "laden dich zu einem Termin ein",
    ),
    follow_refused: say(
      "hat deine Anfrage abgelehnt",
      "haben deine Anfrage abgelehnt",
    ),
    like_comment: say("mag deinen Kommentar", "mögen deinen Kommentar"),
    like_post: say("mag deinen Beitrag", "mögen deinen Beitrag"),
    mention: say("hat dich erwähnt", "haben dich erwähnt"),
    message: say("hat dir geschrieben", "haben dir geschrieben"),
    reshare: say("hat deinen Beitrag geteilt", "haben deinen Beitrag geteilt"),
  },
};
