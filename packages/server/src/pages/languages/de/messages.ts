import type { englishMessages } from "../en/messages.ts";

export const germanMessages: typeof englishMessages = {
  title: "Nachrichten",
  about: "Private Gespräche mit den Leuten, die du nennst.",
  none: "Noch keine Nachrichten. Schreib jemandem eine.",
  write: "Neue Nachricht",
  to: "An",
  toHint:
    "Adressen wie name@host, durch Kommas getrennt. Alle bekommen die Nachrichten aller anderen.",
  subject: "Betreff",
  text: "Nachricht",
  send: "Senden",
  answer: "Deine Antwort",
  unread: (n) => (n === 1 ? "1 neue" : `${n} neue`),
  with: "Mit",
  alone: "Sonst ist niemand mehr dabei.",
  earlier: "Frühere Nachrichten",
  later: "Spätere Nachrichten",
  newer: "Neuere Gespräche",
  older: "Ältere Gespräche",
  hide: "Aus meiner Liste entfernen",
  hideAbout:
    "Mit der nächsten Nachricht kommt das Gespräch zurück. Die anderen erfahren nichts davon.",
  leave: "Verlassen",
  leaveAbout:
    "Keine spätere Nachricht erreicht dich. Die anderen erfahren nichts davon, und es lässt sich nicht rückgängig machen.",
  writeTo: "Nachricht schreiben",
  blank: "Schreib zuerst etwas.",
  nobody: "Nenne mindestens eine Person.",
  unknown: (address) =>
    `Niemand mit der Adresse ${address} wurde gefunden. Prüfe die Schreibweise.`,
  refused:
    "Die Nachricht wurde nicht gesendet. Vielleicht nimmt jemand von dir keine an.",
  tooManyPeople: (max) => `Eine Nachricht hat höchstens ${max} Empfänger.`,
  longSubject: (max) => `Ein Betreff hat höchstens ${max} Zeichen.`,
  tooLong: (max) => `Eine Nachricht hat höchstens ${max} Zeichen.`,
  expired:
    "Das Formular war veraltet, deshalb wurde nichts gesendet. Dein Text ist noch da: Sende ihn noch einmal.",
  signedOut:
    "Du warst abgemeldet, deshalb wurde nichts gesendet. Dein Text ist noch da: Sende ihn jetzt.",
};
