import { counted } from "../../plurals.ts";
import type { englishFilters } from "../../en/settings/filters.ts";

/** The German texts of the filters of words. */
export const germanFilters: typeof englishFilters = {
  title: "Ausgeblendete Wörter",
  about:
    "Ein Filter hält Beiträge mit bestimmten Wörtern von dir fern. Was du selbst schreibst, betrifft er nie, und sonst erfährt niemand davon.",
  none: "Du hast noch keine Filter.",
  create: "Neuer Filter",
  change: "Filter ändern",
  name: "Name",
  nameHint: "Steht statt der Beiträge da, die der Filter zuklappt.",
  parts: "Wörter oder Wendungen",
  partsHint:
    "Auf jeder Zeile eines. Sie werden auch innerhalb längerer Wörter gefunden.",
  wholes: "Nur ganze Wörter",
  wholesHint: "Auf jeder Zeile eines.",
  where: "Wo der Filter gilt",
  contexts: {
    home: "Auf meiner Startseite und bei Tags, denen ich folge",
    public: "In öffentlichen Listen und auf den Seiten von Tags",
    thread: "In Kommentaren",
    account: "Auf Profilen",
    notifications: "In Mitteilungen",
  },
  what: "Was mit Beiträgen geschieht, in denen diese Wörter stehen",
  actions: {
    warn: "Zuklappen: Ein Tippen öffnet sie",
    hide: "Weglassen",
    blur: "In Apps nur ihre Bilder verwischen, hier zuklappen",
  },
  until: "Bis",
  untilHint: "Lass das Feld leer, wenn der Filter auf Dauer gelten soll.",
  ends: "bis",
  keywords: (n) => counted(n, "1 Wort", `${n} Wörter`),
  save: "Filter speichern",
  delete: "Diesen Filter löschen",
  back: "Alle Filter",
  filtered: (titles) => `Gefiltert: ${titles}`,
  faults: {
    title: "Ein Filter braucht einen Namen.",
    until: "Das Ende muss ein Zeitpunkt sein, etwa 31. Januar 2027, 18:30.",
    refused:
      "Ein Filter braucht einen Namen mit höchstens 100 Zeichen, mindestens ein Wort oder eine Wendung mit höchstens 100 Zeichen und mindestens einen Ort, an dem er gilt. Ein Ende muss in der Zukunft liegen. Es sind 50 Filter mit insgesamt 100 Wörtern möglich.",
  },
};
