import type { englishSearch } from "../en/search.ts";

/** The German texts of the search. */
export const germanSearch: typeof englishSearch = {
  title: "Suche",
  titleOf: (query) => `Suche nach „${query}“`,
  label: "Leute, Tags und Beiträge suchen",
  hint: "Wörter, ein #Tag oder eine Adresse wie name@host. Durchsucht werden Beiträge, die du geschrieben oder bekommen hast oder an denen du beteiligt bist, und öffentliche Beiträge von Leuten, die es erlauben.",
  search: "Suchen",
  kinds: "Was gezeigt wird",
  everything: "Alles",
  people: "Leute",
  tags: "Tags",
  posts: "Beiträge",
  more: {
    people: "Weitere Leute",
    tags: "Weitere Tags",
    posts: "Weitere Beiträge",
  },
  pages: { previous: "Vorherige Ergebnisse", next: "Weitere Ergebnisse" },
  nothing:
    "Nichts gefunden. Prüfe die Schreibweise oder suche mit weniger Wörtern. Leute auf anderen Servern findest du mit ihrer ganzen Adresse wie name@host.",
  none: {
    people:
      "Niemand gefunden. Prüfe die Schreibweise; Leute auf anderen Servern findest du mit ihrer ganzen Adresse.",
    tags: "Kein Tag beginnt so.",
    posts:
      "Keine Beiträge gefunden. Versuche es mit weniger oder anderen Wörtern.",
  },
  cut: "Vielleicht gibt es noch mehr: Grenze die Suche ein, um den Rest zu finden.",
  refused:
    "Diese Suche ist nicht zu verstehen. Unten steht, wonach man suchen kann.",
  tooLong: (max) => `Eine Suche hat höchstens ${max} Zeichen.`,
  help: {
    title: "Was du eingeben kannst",
    about:
      "Jeder Teil grenzt die Suche ein. Ein Minus davor schließt etwas aus.",
    lines: {
      words: { typed: "Kirsche Kuchen", finds: "Beiträge mit beiden Wörtern." },
      phrase: {
        typed: '"Kirsche Kuchen"',
        finds: "Die Wörter direkt hintereinander.",
      },
      without: {
        typed: "Kuchen -Kirsche",
        finds: "Das erste Wort ohne das zweite.",
      },
      tag: { typed: "#Garten", finds: "Beiträge mit diesem Tag." },
      from: {
        typed: "from:clara@kith.example",
        finds:
          "Was jemand geschrieben hat; from:me ist, was du geschrieben hast.",
      },
      has: {
        typed: "has:photo",
        finds: "Beiträge mit einem Bild; auch has:poll, has:link, has:event.",
      },
      between: {
        typed: "after:2026-12-24 before:2027-01-07",
        finds: "Beiträge zwischen zwei Tagen.",
      },
      within: {
        typed: "in:library",
        finds:
          "Was du geschrieben oder bekommen hast oder woran du beteiligt bist; in:public findet öffentliche Beiträge, der Name eines Aspekts das, was seine Mitglieder schreiben.",
      },
    },
  },
};
