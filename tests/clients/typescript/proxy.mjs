// A proxy that does what networks do: it drops requests and responses, delays them, sends them twice and cuts them.
//
// As a program: node proxy.mjs UPSTREAM SEED. It prints its URL, and what happened when its standard input ends.

import http from "node:http";
import { fileURLToPath } from "node:url";

/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What happens to a request, with its share in a thousand. The others pass unharmed. */
const FAULTS = [
  ["lostRequest", 30],
  ["lostResponse", 30],
  ["delay", 30],
  ["late", 4],
  ["twice", 40],
  ["responseTwice", 30],
  ["cut", 30],
  ["badGateway", 20],
];

/** Milliseconds of a `delay`, and of a response that is `late` for the clients of the tests. */
const DELAY = 100;
const LATE = 4_000;

function faultOf(number) {
  let rest = number * 1_000;
  return FAULTS.find(([, share]) => (rest -= share) < 0)?.[0];
}

/** Starts the proxy; its `url` leads to the upstream. */
export async function proxy(upstream, seed) {
  const next = random(seed);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const happened = {};
  const server = http.createServer(async (request, response) => {
    const body = await read(request).catch(() => undefined);
    if (body === undefined) return;
    const fault = faultOf(next());
    if (fault) happened[fault] = (happened[fault] ?? 0) + 1;
    await serve(fault, { request, response, body, upstream, agent }).catch(() => request.socket.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  };
  return { url, happened, close };
}

async function serve(fault, exchange) {
  const { request, response } = exchange;
  const { socket } = request;
  if (fault === "lostRequest") return socket.destroy();
  if (fault === "badGateway")
    return response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
  // a creation that the network sends twice is two creations, whatever the client does; and the second response to a
  // condition says that somebody else was faster
  const isRepeatable = request.method !== "POST" && request.method !== "PATCH" && !request.headers["if-match"];
  const tries = fault === "twice" && isRepeatable ? [forward(exchange), forward(exchange)] : [forward(exchange)];
  const answer = (await Promise.all(tries)).pop();
  if (fault === "lostResponse") return socket.destroy();
  if (fault === "delay" || fault === "late")
    await new Promise((resolve) => setTimeout(resolve, fault === "late" ? LATE : DELAY));
  const head = `HTTP/1.1 ${answer.status} ${http.STATUS_CODES[answer.status]}\r\n${answer.headers}\r\n`;
  const whole = Buffer.concat([Buffer.from(head), answer.body]);
  if (fault === "cut")
    return socket.end(whole.subarray(0, head.length / 2 + (answer.body.length + head.length / 2) / 2));
  socket.write(whole);
  if (fault === "responseTwice") socket.write(whole);
  // the bytes were written past the server, so that it cannot go on with this connection
  socket.end();
}

/** Sends the request on; the response as bytes. */
function forward({ request, body, upstream, agent }) {
  return new Promise((resolve, reject) => {
    const { host, connection, ...headers } = request.headers;
    const sent = http.request(new URL(request.url, upstream), { method: request.method, headers, agent });
    sent.on("error", reject);
    sent.on("response", async (response) => {
      const bytes = await read(response).catch(reject);
      if (!bytes) return;
      const lines = Object.entries(response.headers).filter(
        ([name]) => !["transfer-encoding", "connection", "content-length", "keep-alive"].includes(name),
      );
      const shown = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const length = [204, 304].includes(response.statusCode) ? "" : `content-length: ${bytes.length}\r\n`;
      resolve({ status: response.statusCode, headers: shown + length + "connection: close\r\n", body: bytes });
    });
    sent.end(body);
  });
}

async function read(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , upstream, seed] = process.argv;
  const { url, happened, close } = await proxy(upstream, Number(seed));
  console.log(url);
  process.stdin.resume().on("end", () => {
    console.log(JSON.stringify(happened));
    close();
  });
}
