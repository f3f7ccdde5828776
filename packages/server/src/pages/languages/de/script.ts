import type { englishScript } from "../en/script.ts";

/** The German texts that the script of the pages shows. */
export const germanScript: typeof englishScript = {
  picture: "Bild",
  previous: "Zurück",
  next: "Weiter",
  close: "Schließen",
  completions: "Vorschläge",
  restored: "Dein nicht gesendeter Text ist wieder da.",
  sent: "Dein Kommentar ist da.",
  keys: "Tasten",
  keysOff: "Alle Tasten außer ? in diesem Browser abschalten",
  keyActs: {
    j: "Nächster Beitrag",
    k: "Voriger Beitrag",
    l: "Gefällt mir",
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
};
