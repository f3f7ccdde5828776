import { say, type englishNotifications } from "../en/notifications.ts";

export const germanNotifications: typeof englishNotifications = {
  title: "Mitteilungen",
  filter: "Welche Mitteilungen du siehst",
  tabs: {
    all: "Alle",
    unread: "Ungelesen",
    talk: "Gespräche",
    liked: "Likes und Geteiltes",
    people: "Leute",
    events: "Termine",
  },
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
    calendar_shared: say(
      "teilt einen Kalender mit dir",
      "teilen einen Kalender mit dir",
    ),
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
    draft_failed: say(
      "Dein geplanter Beitrag konnte nicht veröffentlicht werden",
      "Dein geplanter Beitrag konnte nicht veröffentlicht werden",
    ),
    event_answer: say(
      "hat auf deine Einladung geantwortet",
      "haben auf deine Einladung geantwortet",
    ),
    event_answer_accepted: say(
      "kommt zu deinem Termin",
      "kommen zu deinem Termin",
    ),
    event_answer_declined: say(
      "kann nicht zu deinem Termin kommen",
      "können nicht zu deinem Termin kommen",
    ),
    event_answer_pending: say(
      "möchte zu deinem Termin kommen",
      "möchten zu deinem Termin kommen",
    ),
    event_answer_tentative: say(
      "kommt vielleicht zu deinem Termin",
      "kommen vielleicht zu deinem Termin",
    ),
    event_cancelled: say(
      "hat einen Termin abgesagt, auf den du geantwortet hast",
      "haben einen Termin abgesagt, auf den du geantwortet hast",
    ),
    event_changed: say(
      "hat einen Termin geändert",
      "haben einen Termin geändert",
    ),
    event_invitation: say(
      "lädt dich zu einem Termin ein",
      "laden dich zu einem Termin ein",
    ),
    event_reminder: say(
      "hat einen Termin, der bald beginnt",
      "haben Termine, die bald beginnen",
    ),
    event_reply: say(
      "hat auf deine Anfrage zu einem Termin geantwortet",
      "haben auf deine Anfrage zu einem Termin geantwortet",
    ),
    follow_refused: say(
      "hat deine Anfrage abgelehnt",
      "haben deine Anfrage abgelehnt",
    ),
    follow_request: say("möchte dir folgen", "möchten dir folgen"),
    like_comment: say("mag deinen Kommentar", "mögen deinen Kommentar"),
    like_post: say("mag deinen Beitrag", "mögen deinen Beitrag"),
    mention: say("hat dich erwähnt", "haben dich erwähnt"),
    message: say("hat dir geschrieben", "haben dir geschrieben"),
    moderation: say(
      "Die Moderation hat etwas über dich entschieden",
      "Die Moderation hat etwas über dich entschieden",
    ),
    post: say("hat etwas Neues geschrieben", "haben etwas Neues geschrieben"),
    own_event_reminder: say(
      "Dein Termin beginnt bald",
      "Dein Termin beginnt bald",
    ),
    own_poll_ended: say(
      "Deine Umfrage ist zu Ende",
      "Deine Umfrage ist zu Ende",
    ),
    poll_ended: say(
      "hat eine Umfrage, die zu Ende ist",
      "haben Umfragen, die zu Ende sind",
    ),
    post_changed: say(
      "hat einen Beitrag geändert, den du geteilt hast",
      "haben Beiträge geändert, die du geteilt hast",
    ),
    quote: say("hat deinen Beitrag zitiert", "haben deinen Beitrag zitiert"),
    quoted_changed: say(
      "hat einen Beitrag geändert, den du zitiert hast",
      "haben Beiträge geändert, die du zitiert hast",
    ),
    reshare: say("hat deinen Beitrag geteilt", "haben deinen Beitrag geteilt"),
  },
  choices: {
    title: "Worüber du Mitteilungen bekommst",
    link: "Mitteilungen",
    kinds: {
      comment: "Kommentare zu deinen Beiträgen und Antworten auf Kommentare",
      mention: "Erwähnungen und Zitate deiner Beiträge",
      message: "Private Nachrichten",
      like: "Likes",
      reshare: "Geteilte Beiträge",
      follower: "Neue Leute, die dir folgen",
      follow_request: "Anfragen, dir zu folgen",
      event:
        "Einladungen, geänderte und abgesagte Termine, Antworten und geteilte Kalender",
      poll: "Das Ende von Umfragen, die von dir sind oder in denen du abgestimmt hast",
      edit: "Änderungen an Beiträgen, die du geteilt oder zitiert hast",
    },
    senders: {
      everyone: "Von allen",
      following: "Von Leuten, denen du folgst",
      nobody: "Nie",
    },
    dropped: "Nie über diese Leute",
    people: {
      not_following: "Leute, denen du nicht folgst",
      not_followers: "Leute, die dir nicht folgen",
      new_people: "Leute, die hier seit weniger als 30 Tagen bekannt sind",
      private_messages: "Fremde, die dir private Nachrichten schreiben",
    },
    droppedHint:
      "Die letzten beiden gelten nicht für Leute, denen du folgst. Was du wählst, gilt für alles, was ab jetzt geschieht.",
    save: "Speichern",
    saved: "Deine Auswahl ist gespeichert.",
  },
};
