import type { englishScript } from "../en/script.ts";

/** The German texts that the scripts of the pages show. */
export const germanScript: typeof englishScript = {
  picture: "Bild",
  previous: "Zurück",
  next: "Weiter",
  close: "Schließen",
  completions: "Vorschläge",
  restored: "Dein nicht gesendeter Text ist wieder da.",
  sent: "Dein Kommentar ist veröffentlicht.",
  keys: "Tasten",
  keysOff: "Alle Tasten außer ? in diesem Browser abschalten",
  keyActs: {
    j: "Nächster Beitrag",
    k: "Voriger Beitrag",
    l: "Liken",
    r: "Teilen",
    b: "Merken",
    c: "Schreiben",
    ".": "Die neuen Beiträge zeigen",
    "/": "Suchen",
    "g h": "Start",
    "g e": "Termine",
    "g n": "Mitteilungen",
    "g w": "Das ganze Formular für einen Beitrag",
    "?": "Diese Tasten",
  },
  offline: {
    copy: "Es gibt kein Netz. Dies ist eine Kopie deiner Startseite, ohne ihre Bilder, vom",
    title: "Kein Netz",
    about:
      "Diese Seite braucht das Netz, und dein Gerät hat keines oder erreicht diesen Server nicht.",
    again: "Noch einmal versuchen",
    home: "Deine letzte Startseite",
    drafts: "Deine nicht gesendeten Texte",
    draftsAbout:
      "Du hast sie in diesem Browser geschrieben. Auf deiner letzten Startseite kannst du weiterschreiben.",
    noDrafts: "Dieser Browser hat keinen nicht gesendeten Text von dir.",
  },
};
