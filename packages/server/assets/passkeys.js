// Asks the browser for a passkey, and sends it with the form that asked for it.
// Without this script, or where the browser knows no passkeys, the forms stay hidden.

const canAsk =
  window.PublicKeyCredential?.parseCreationOptionsFromJSON !== undefined &&
  window.PublicKeyCredential.parseRequestOptionsFromJSON !== undefined;

if (canAsk)
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form);
    });
  }

/** `data-passkey` is `get` or `create`, `data-options` says where to ask what the browser is asked. */
async function send(form) {
  const alert = form.querySelector("[role=alert]");
  alert.hidden = true;
  try {
    const options = await fetchOptions(form);
    const credential =
      form.dataset.passkey === "create"
        ? await navigator.credentials.create({
            publicKey:
              PublicKeyCredential.parseCreationOptionsFromJSON(options),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          });
    form.elements.namedItem("credential").value = JSON.stringify(
      credential.toJSON(),
    );
    form.submit();
  } catch {
    alert.hidden = false;
    alert.focus();
  }
}

async function fetchOptions(form) {
  const answer = await fetch(form.dataset.options, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(new FormData(form)),
  });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}
