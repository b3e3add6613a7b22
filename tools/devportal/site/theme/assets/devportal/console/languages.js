// The languages that a request is written in, as on the page. Each is loaded when it is chosen.

export const LANGUAGES = { curl: "curl", python: "Python", node: "Node.js", php: "PHP", go: "Go" };

export async function codeOf(language, request) {
  return (await import(`./languages/${language}.js`)).write(request);
}
