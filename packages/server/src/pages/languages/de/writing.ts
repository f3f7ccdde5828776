import type { englishWriting } from "../en/writing.ts";

export const germanWriting: typeof englishWriting = {
  editPost: "Beitrag bearbeiten",
  editComment: "Kommentar bearbeiten",
  text: "Text",
  hint: "Markdown geht: *betont*, **wichtig**, > Zitat, [Link](https://…).",
  warning: "Inhaltswarnung",
  warningHint:
    "Steht statt des Textes da, bis jemand ihn öffnet. Sie darf leer sein.",
  audience: "Wer es sieht, wie bisher:",
  ignored:
    "Einige Empfänger sind auf diaspora*-Servern. Dort bleibt die frühere Fassung stehen.",
  save: "Speichern",
  cancel: "Abbrechen",
  blank: "Schreib zuerst etwas.",
  tooLong: (max) => `Der Text hat höchstens ${max} Zeichen.`,
  expired:
    "Das Formular war veraltet, deshalb wurde nichts geändert. Dein Text ist noch da: Speichere ihn noch einmal.",
  signedOut:
    "Du warst abgemeldet, deshalb wurde nichts geändert. Dein Text ist noch da: Speichere ihn jetzt.",
  deletePost: "Diesen Beitrag löschen?",
  deleteComment: "Diesen Kommentar löschen?",
  deletePostAbout:
    "Seine Kommentare und Likes werden mit gelöscht. Andere Server werden gebeten, ihn ebenfalls zu löschen; ob sie es tun, liegt bei ihnen.",
  deleteCommentAbout:
    "Andere Server werden gebeten, ihn ebenfalls zu löschen; ob sie es tun, liegt bei ihnen.",
  delete: "Löschen",
  redraft: "Löschen und neu schreiben",
  redraftAbout:
    "Alles, was du geschrieben hast, bleibt mit seinen Bildern als Entwurf. Kommentare, Likes und Stimmen gehen verloren.",
  redraftRefused:
    "Nichts wurde gelöscht: Der Entwurf ließ sich nicht speichern. Lösche zuerst einige deiner Entwürfe.",
  keep: "Behalten",
};
