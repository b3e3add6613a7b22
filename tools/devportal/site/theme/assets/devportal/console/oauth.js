// A form that gets a token from the server of OAuth 2: client credentials (RFC 6749 §4.4), or an authorization
// code with PKCE (RFC 7636). All of it stays in the memory of this page: the verifier and the state too, as the
// sign-in happens in a window of its own, whose last page hands its address back over a channel of this origin.

import { button, choices, el, fresh } from "./dom.js";
import { fetchExplained, obstaclesFor } from "./send.js";
import { explanation } from "./sending.js";

const CALLBACK = new URL("./signed-in.html", import.meta.url).href;
const CHANNEL = "devportal.oauth";
const NAMES = { authorizationCode: gettext("Authorization code with PKCE"), clientCredentials: gettext("Client credentials") };
const WAYS = [
  ["header", gettext("In the Authorization header")],
  ["body", gettext("In the body")],
];

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

// `take` gets the token.
export function tokenForm(trial, flows, take) {
  const group = el("div.group"),
    status = el("p.hint", { role: "status" }),
    fault = el("div", { role: "alert" });
  let flow = flows[0];
  const labelled = (words, input) => el("div.row", {}, el("label.label", { for: input.id }, words), input);
  const field = (words, properties = {}) => {
    const input = el("input", { id: fresh(), autocomplete: "off", spellcheck: "false", ...properties });
    return { input, row: labelled(words, input) };
  };
  const client = field(gettext("Client ID")),
    secret = field(gettext("Client secret"), { type: "password", placeholder: gettext("not stored") }),
    scope = field(gettext("Scopes, separated by spaces"));
  let placement = "header";
  const ask = button(gettext("Get token"), () => run(), { class: "dpc-send" });

  async function run() {
    const isCode = flow.kind === "authorizationCode",
      tokenUrl = addressOf(flow.tokenUrl, trial.base);
    fault.replaceChildren();
    const lines = [
      !client.input.value.trim() && gettext("Enter the client ID."),
      !isCode && !secret.input.value && gettext("Enter the client secret."),
      isCode && !crypto.subtle && gettext("Signing in needs a page with https, because browsers allow PKCE only there."),
      ...obstaclesFor(tokenUrl, location.protocol),
    ].filter(Boolean);
    if (lines.length) {
      fault.replaceChildren(...lines.map((line) => el("p.error", {}, line)));
      return;
    }
    ask.disabled = true;
    try {
      const grant = isCode ? await signIn() : { grant_type: "client_credentials", ...scopes() };
      if (grant && group.isConnected) await exchange(tokenUrl, grant);
    } catch (error) {
      fault.replaceChildren(el("p.error", {}, error.message));
      status.textContent = "";
    } finally {
      ask.disabled = false;
      if (document.activeElement === document.body) ask.focus();
    }
  }

  const scopes = () => (scope.input.value.trim() ? { scope: scope.input.value.trim() } : {});

  // The window is opened at once, as browsers allow it only then; it knows nothing of this page.
  async function signIn() {
    const opened = open("about:blank", "_blank", "popup,width=520,height=680");
    if (!opened) throw new Error(gettext("The browser blocked the sign-in window. Allow windows of this site, and try again."));
    opened.opener = null;
    const state = random(),
      verifier = random();
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const url = new URL(addressOf(flow.authorizationUrl, trial.base));
    const query = {
      response_type: "code",
      client_id: client.input.value.trim(),
      redirect_uri: CALLBACK,
      state,
      code_challenge: base64url(new Uint8Array(digest)),
      code_challenge_method: "S256",
      ...scopes(),
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const came = answerOf(state);
    opened.location.replace(url);
    const { code, error, error_description: why } = await came;
    if (code) return { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: verifier };
    if (error) throw new Error(gettext("The server refused: %(reason)s", { reason: [error, why].filter(Boolean).join(": ") }));
    return undefined;
  }

  // What the last page of the window hands back, of this sign-in alone; nothing if it is given up.
  function answerOf(state) {
    const channel = new BroadcastChannel(CHANNEL);
    return new Promise((resolve) => {
      const end = (given = {}) => {
        channel.close();
        trial.giveUp = undefined;
        resolve(given);
      };
      trial.giveUp = end;
      status.replaceChildren(gettext("Waiting for the sign-in window."), " ", button(gettext("Cancel"), () => end()));
      channel.onmessage = ({ data }) => {
        const given = Object.fromEntries(new URLSearchParams(`${data}`));
        if (given.state === state) end(given);
      };
    }).finally(() => status.replaceChildren());
  }

  async function exchange(url, grant) {
    const id = client.input.value.trim(),
      password = secret.input.value,
      isInHeader = password && placement === "header";
    const content = new URLSearchParams({
      ...grant,
      ...(isInHeader ? {} : { client_id: id, ...(password && { client_secret: password }) }),
    });
    const encoded = [id, password].map((text) => encodeURIComponent(text).replaceAll("%20", "+")).join(":");
    status.textContent = gettext("Requesting a token…");
    const { response, explained } = await fetchExplained(url, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
        ...(isInHeader && { Authorization: `Basic ${btoa(encoded)}` }),
      },
      body: content.toString(),
    });
    status.textContent = "";
    if (explained) {
      fault.replaceChildren(explanation(explained));
      return;
    }
    const { access_token: token, expires_in: seconds, error, error_description: why } = await jsonOf(response);
    if (typeof token !== "string" || !token) {
      const words = [error, why].filter(Boolean).join(": ") || gettext("it contains no access_token");
      throw new Error(gettext("No token in the response (status %(status)s): %(reason)s", { status: response.status, reason: words }));
    }
    if (!group.isConnected) return; // the page was left meanwhile
    take(token);
    status.textContent =
      seconds > 0
        ? gettext("Token received. It expires in %(seconds)s seconds. It is only in memory.", { seconds })
        : gettext("Token received. It is only in memory.");
  }

  const render = () => {
    const isCode = flow.kind === "authorizationCode";
    scope.input.value = flow.scopes.join(" ");
    secret.row.querySelector("label").textContent = isCode ? gettext("Client secret (only if the client has one)") : gettext("Client secret");
    group.replaceChildren(
      flows.length > 1
        ? labelled(
            gettext("Flow"),
            choices(
              flows.map((option, at) => [`${at}`, NAMES[option.kind]]),
              `${flows.indexOf(flow)}`,
              (at) => {
                flow = flows[at];
                render();
                group.querySelector("select").focus();
              },
              { id: fresh() },
            ),
          )
        : el("p.hint", {}, NAMES[flow.kind]),
      client.row,
      secret.row,
      labelled(gettext("Client authentication"), choices(WAYS, placement, (chosen) => (placement = chosen), { id: fresh() })),
      scope.row,
      isCode ? el(
            "p.hint",
            {},
            ...gettextNodes("Register this redirect address for the client: %(address)s", {
              address: el("code", {}, CALLBACK),
            }),
          ) : "",
      el("div.both", {}, ask),
      status,
      fault,
    );
  };
  render();
  return group;
}

// Relative addresses count from the server (OAS 3.1.1 §4.8.30).
function addressOf(url, base) {
  try {
    return new URL(url, `${base}/`).href;
  } catch {
    return url;
  }
}

async function jsonOf(response) {
  try {
    return Object(await response.json());
  } catch {
    return {};
  }
}
