import { counted } from "../plurals.ts";
import type { englishDetails } from "../en/details.ts";

/** The German texts about what happened to a post, a comment or an event. */
export const germanDetails: typeof englishDetails = {
  links: "Über diesen Beitrag",
  back: "Zurück",

  ofIt: (about) => about,
  history: {
    link: "Frühere Fassungen",
    title: "Frühere Fassungen",
    about:
      "Alle, die die aktuelle Fassung lesen können, können auch diese lesen.",
    none: "Es gibt keine frühere Fassung.",
    writtenAt: "Geschrieben",
    warning: "Inhaltswarnung:",
    pictures: (n) => `${n} ${counted(n, "Bild", "Bilder")}`,
    noText: "Ohne Text",
    newer: "Neuere Fassungen",
    older: "Ältere Fassungen",
  },

  reception: {
    link: "Likes und wer es geteilt hat",
    title: "Likes und wer es geteilt hat",
    likes: "Likes",
    noLikes: "Noch keine Likes.",
    dislikes: "Dislikes",
    reshares: "Geteilt",
    noReshares: "Das hat noch niemand geteilt.",
    reactions: "Reaktionen",
    more: "Ältere",
    fewer: "Neuere",
  },

  deliveries: {
    link: "Zustellung",
    title: "Zustellung",
    about:
      "Die anderen Server, die diesen Beitrag bekommen, und ob sie ihn angenommen haben. Diese Seite siehst nur du.",
    none: "Kein anderer Server bekommt diesen Beitrag.",
    seenBy: "Wer ihn sieht",
    moreSee: (n) => `und ${n} mehr`,
    first: "Erste Server",
    next: "Weitere Server",
    server: "Server",
    state: "Stand",
    time: "Zeit",
    states: {
      delivered: "Zugestellt",
      waiting: "Noch nicht: es wird erneut versucht",
      failed: "Aufgegeben",
    },
  },

  mute: "Unterhaltung stummschalten",
  unmute: "Stummschaltung aufheben",
  muted: "Du bekommst keine Mitteilungen aus dieser Unterhaltung.",

  thread: {
    replyTo: (name) => `Antworten (Kommentar von ${name})`,
    inAnswerTo: (name) => `Antwort an ${name}`,
    more: (n) =>
      `Diesen Faden weiterlesen: ${n} ${counted(n, "Antwort", "Antworten")}`,
    whole: "Alle Kommentare zum Beitrag",
    unread: (n: number) =>
      `${n} ${counted(n, "ungelesener Kommentar", "ungelesene Kommentare")}: zum ersten`,
    noReplies: "Noch keine Antworten.",
    ofOriginal: "Kommentare zum geteilten Beitrag",
  },

  audience: {
    self: "Nur ich",
    followers: "Wer mir folgt",
    all_aspects: "Alle meine Aspekte",
    aspects: "Ausgewählte Aspekte",
    people: "Ausgewählte Personen",
    by: (name) => `von ${name}`,
    unlisted: "Alle, nicht gelistet",
  },

  commentReach: {
    everyone: "Alle im Netz können deinen Kommentar lesen, auch ohne Konto.",
    unlisted:
      "Alle, die den Link haben, können deinen Kommentar lesen, auch ohne Konto.",
    limited:
      "Alle, die diesen Beitrag sehen, können deinen Kommentar lesen, sonst niemand.",
    self: "Nur du kannst deinen Kommentar lesen.",
  },

  readOn: "Weiterlesen",
  alt: "Beschreibung des Bildes",
  undescribed: "Dein Bild hat noch keine Beschreibung.",
  describeIt: "Beschreiben",
};
