import { counted } from "../plurals.ts";
import type { englishHome } from "../en/home.ts";

/** The German texts of the home and of tags. */
export const germanHome: typeof englishHome = {
  title: "Start",
  tabs: "Welche Beiträge du siehst",
  tags: "Tags",
  here: "Dieser Server",
  all: "Alles Bekannte",
  following: "Du folgst",
  withReshares: "Geteiltes zeigen",
  withoutReshares: "Geteiltes ausblenden",
  withReplies: "Antworten zeigen",
  withoutReplies: "Antworten ausblenden",
  and: "und",
  others: (n) => counted(n, "1 andere Person", `${n} andere`),
  reshared: (n) => counted(n, "hat das geteilt", "haben das geteilt"),
  noMore: "Mehr gibt es nicht.",
  empty:
    "Hier ist noch nichts. Beiträge von Leuten in deinen Aspekten, Beiträge mit Tags, denen du folgst, und deine eigenen erscheinen hier.",
  emptyAspect:
    "Hier ist noch nichts. Was die Leute in diesem Aspekt schreiben und was du an ihn schreibst, erscheint hier.",
  noTags:
    "Du folgst noch keinem Tag. Öffne einen Tag und folge ihm, um seine Beiträge zu sehen.",
  emptyTags: "Noch keine Beiträge mit diesen Tags.",
  emptyAll: "Auf diesem Server sind noch keine Beiträge angekommen.",
  emptyHere: "Hier hat noch niemand etwas Öffentliches geschrieben.",
  addPeople: "Leute in diesen Aspekt aufnehmen",
  findPeople: "Leute finden",
  findTags: "Einen Tag finden",
  firstSteps: "Deine ersten Schritte",
  news: (n) =>
    n < 20
      ? counted(n, "1 neuer Beitrag", `${n} neue Beiträge`)
      : "20 oder mehr neue Beiträge",
  newEntries: (n) =>
    n < 20
      ? counted(
          n,
          "1 neuer Beitrag oder neue Antwort",
          `${n} neue Beiträge und Antworten`,
        )
      : "20 oder mehr neue Beiträge und Antworten",
  lookAround: "Alles ansehen, was dieser Server kennt",

  side: {
    aspects: "Deine Aspekte",
    arrange: "Leute und Aspekte ordnen",
    events: "Deine nächsten Termine",
    noEvents: "Nichts geplant.",
    plan: "Einen Termin planen",
  },

  tag: {
    follow: (tag) => `#${tag} folgen`,
    unfollow: (tag) => `#${tag} nicht mehr folgen`,
    followed: "Beiträge mit diesem Tag erscheinen auf deiner Startseite.",
    none: "Noch keine Beiträge mit diesem Tag.",
    writeOne: "Schreib den ersten",
    tooMany:
      "Du folgst so vielen Tags, wie es geht. Folge erst einem anderen nicht mehr.",
  },
};
