// Samples for Go, with its standard library: a whole program, formatted as gofmt does.

import { fullUrl, jsonText } from "../request.js";
import { code, disposition, isSecret, isSeen, typeOf } from "./words.js";

const ESCAPES = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const FATAL = ["if err != nil {", "\tlog.Fatal(err)", "}"];
const CERTIFICATE = [
  "",
  "// The server asks for a client certificate: give the client below a Transport whose",
  "// TLSClientConfig has one (tls.LoadX509KeyPair).",
];
const ANSWER = [
  "",
  "client := &http.Client{Timeout: 10 * time.Second}",
  "resp, err := client.Do(req)",
  ...FATAL,
  "content, err := io.ReadAll(resp.Body)",
  "resp.Body.Close()",
  ...FATAL,
  "if resp.StatusCode > 299 {",
  '\tlog.Fatalf("%s: %s", resp.Status, content)',
  "}",
  "fmt.Println(string(content))",
];
const ADD_PART = `func addPart(form *multipart.Writer, disposition, mediaType string, content []byte) {
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {disposition},
		"Content-Type":        {mediaType},
	})
	if err != nil {
		log.Fatal(err)
	}
	part.Write(content)
}`;
const READ_FILE = `func readFile(name string) []byte {
	content, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	return content
}`;

function literal(text) {
  const isRaw = !text.includes("`") && text.split("\n").every(isSeen);
  if (isRaw && /["\\\n]/.test(text)) return `\`${text}\``;
  return `"${[...text].map((one) => ESCAPES[one] ?? (isSeen(one) ? one : escape(one))).join("")}"`;
}

function escape(letter) {
  const digits = code(letter);
  return digits.length < 5 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

function json(value) {
  const seen = (one) => (one === "`" ? "\\u0060" : one === "\n" || isSeen(one) ? one : ascii(one));
  return `\`${[...jsonText(value)].map(seen).join("")}\``;
}

const ascii = (text) =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
const environment = (variable) => `os.Getenv("${variable}")`;

function expression(words, inAddress = false) {
  const secret = ({ secret: name }) =>
    inAddress ? `url.QueryEscape(${environment(name)})` : environment(name);
  return (
    words
      .filter((one) => one)
      .map((one) => (isSecret(one) ? secret(one) : literal(one)))
      .join("+") || '""'
  );
}

// What a body needs: statements before the request, expressions, packages and functions.
function body({ kind, type, value, text, pairs, parts, name }) {
  if (kind === "json" || kind === "text") {
    const statements = [`body := strings.NewReader(${kind === "json" ? json(value) : literal(text)})`];
    return { statements, reader: "body", type: literal(type), packages: ["strings"] };
  }
  if (kind === "form") {
    const fields = pairs.map((pair) => `form.Add(${pair.map(literal).join(", ")})`);
    return {
      statements: ["form := url.Values{}", ...fields],
      reader: "strings.NewReader(form.Encode())",
      type: literal(type),
      packages: ["net/url", "strings"],
    };
  }
  if (kind === "multipart") return multipart(parts);
  const statements = [`file, err := os.ReadFile(${literal(name)})`, ...FATAL];
  return { statements, reader: "bytes.NewReader(file)", type: literal(type), packages: ["bytes", "os"] };
}

function multipart(parts) {
  const hasFile = parts.some((one) => one.isFile),
    hasType = parts.some(typeOf);
  return {
    statements: [
      "var body bytes.Buffer",
      "form := multipart.NewWriter(&body)",
      ...parts.map(part),
      "form.Close()",
    ],
    reader: "&body",
    type: "form.FormDataContentType()",
    packages: ["bytes", "mime/multipart", ...(hasType ? ["net/textproto"] : []), ...(hasFile ? ["os"] : [])],
    functions: [...(hasType ? [ADD_PART] : []), ...(hasFile ? [READ_FILE] : [])],
  };
}

function part(one) {
  const { name, value, isFile } = one;
  if (!typeOf(one)) return `form.WriteField(${literal(name)}, ${literal(value)})`;
  return `addPart(form, ${literal(disposition(one))}, ${literal(typeOf(one))}, ${isFile ? `readFile(${literal(value)})` : `[]byte(${literal(value)})`})`;
}

export function write(request) {
  const { method, query, headers, basic, certificate } = request;
  const {
    statements = [],
    reader = "nil",
    type,
    packages = [],
    functions = [],
  } = request.body ? body(request.body) : {};
  const names = new Set(["fmt", "io", "log", "net/http", "time", ...packages]);
  const inQuery = query.some(([, words]) => words.some(isSecret));
  if (inQuery) names.add("net/url");
  if (inQuery || basic || headers.some(([, words]) => words.some(isSecret))) names.add("os");
  const all = [
    ...statements,
    `req, err := http.NewRequest(${literal(method)}, ${expression(fullUrl(request), true)}, ${reader})`,
    ...FATAL,
    ...(basic ? [`req.SetBasicAuth(${basic.map(environment).join(", ")})`] : []),
    ...headers.map(([name, value]) => `req.Header.Set(${literal(name)}, ${expression(value)})`),
    ...(type ? [`req.Header.Set("Content-Type", ${type})`] : []),
    ...(certificate ? CERTIFICATE : []),
    ...ANSWER,
  ];
  const imports = `import (\n${[...names]
    .sort()
    .map((one) => `\t"${one}"\n`)
    .join("")})`;
  const main = `func main() {\n${all.map((one) => one && `\t${one}`).join("\n")}\n}`;
  return ["package main", imports, main, ...functions].join("\n\n");
}
