import type { englishPrivacy } from "../../en/settings/privacy.ts";

/** The German texts of the privacy settings. */
export const germanPrivacy: typeof englishPrivacy = {
  title: "Privatsphäre",
  linkAbout:
    "Wer deine Beiträge sieht, wer sie zitieren darf und wer dich finden und dir folgen darf",
  usual: "Wer deine Beiträge gewöhnlich sieht",
  usualAbout:
    "Damit beginnt jeder neue Beitrag. Du kannst es für jeden Beitrag ändern; was schon veröffentlicht ist, bleibt, wie es ist.",
  quotableBy:
    "Wer deine Beiträge zitieren darf, wenn ein Beitrag nichts anderes sagt",
  found: "Dich finden und dir folgen",
  switches: {
    locked: "Ich lasse alle, die mir folgen möchten, einzeln zu",
    searchable: "Man darf mich unter meinem Namen finden",
    indexable:
      "Meine öffentlichen Beiträge dürfen durch Suchen gefunden werden",
  },
  hints: {
    locked:
      "Wer dir folgt, bekommt auch, was du nur für Leute schreibst, die dir folgen.",
    searchable:
      "Sonst findet man dich hier nur unter deiner ganzen Adresse, und Listen von Leuten lassen dich aus.",
    indexable: "Hier und auf anderen Servern, die sich daran halten.",
  },
  save: "Speichern",
  saved: "Deine Auswahl ist gespeichert.",
  refused:
    "Es wurde nichts gespeichert. Wähle mindestens einen Aspekt aus, oder etwas anderes.",
};
