// One request: its headers, its tries, its time limits, its errors.

import { Cancelled, ConnectionFailed, TimedOut, errorOf } from "./errors.js";

/** What is the same for all requests. */
export class Client {
  constructor(options) {
    this.options = { timeout: 30_000, deadline: 120_000, retries: 3, ...options };
    this.baseUrl = String(options.baseUrl).replace(/\/+$/, "");
    this.isBrowser = /^Mozilla/.test(globalThis.navigator?.userAgent);
    if (!this.isBrowser && !options.client?.trim()) {
      throw new TypeError('`client` is missing, such as "shop/1.2"');
    }
  }
}

/** What `get` returns where the representation has the tag of `ifNoneMatch`. */
export const NotModified = Symbol("NotModified");

/** Where an entity has what its response said beside it. No field is called so; a spread copies it, JSON leaves it out. */
export const metadata = Symbol("metadata");

const RETRIED = [429, 502, 503, 504];
/** What errors say where no connection was made: in Node, in Deno, in Bun. */
const REFUSED = /refused|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|FailedToOpenSocket/i;
const LONGEST_PAUSE = 5_000;

/** A pause that a signal ends: then the call was cancelled. */
export const sleep = (client, milliseconds, signal, details) =>
  (client.options.sleep ?? pause)(milliseconds, signal).catch(() => checkCancelled(signal, details));

async function pause(milliseconds, signal) {
  let timer, stopListening;
  await new Promise((resolve, reject) => {
    timer = setTimeout(resolve, milliseconds);
    stopListening = onAbort(signal, reject);
  }).finally(() => {
    clearTimeout(timer);
    stopListening();
  });
}

/** Calls a function when a signal ends what is going on. Returns what ends the listening. */
export function onAbort(signal, stop) {
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return () => signal?.removeEventListener("abort", stop);
}

/** Between half of it and all of it, so that clients do not come back together. */
export const jitter = (milliseconds) => milliseconds * (0.5 + Math.random() / 2);

/** Throws if the caller cancelled the call. */
export function checkCancelled(signal, details) {
  if (signal?.aborted) throw new Cancelled("the call was cancelled", { cause: signal.reason, ...details });
}

/** Sends a request, again where that is safe, and returns `{ status, headers, text, body, traceId }`. */
export async function send(client, request, options = {}) {
  const [retries, deadline, timeout] = ["retries", "deadline", "timeout"].map((it) => options[it] ?? client.options[it]);
  const isRepeatable = request.isRepeatable ?? request.method !== "POST";
  const end = Date.now() + deadline;
  let maybeApplied = false;
  let refused;
  for (let attempt = 1; ; attempt++) {
    checkCancelled(options.signal, { maybeApplied });
    const result = await attemptOnce(client, request, options, Math.min(timeout, end - Date.now()), refused);
    const { status, wasSent, retryAfter } = result;
    if (status === 401 && !refused && typeof client.options.token === "function") {
      refused = result;
      attempt--;
      continue;
    }
    if (status < 400) return result;
    const isLost = status === undefined;
    // a response of the service says that nothing was done; one from between, or none, says nothing
    const mayHaveBeen = isLost ? wasSent : status >= 500 && status !== 501;
    maybeApplied ||= request.method !== "GET" && !request.isDryRun && mayHaveBeen;
    const mayTryAgain = isLost ? isRepeatable || !wasSent : isRepeatable && RETRIED.includes(status);
    const wait = retryAfter === undefined ? jitter(Math.min(100 * 2 ** attempt, LONGEST_PAUSE)) : retryAfter * 1000;
    if (options.signal?.aborted || !mayTryAgain || attempt >= retries || Date.now() + wait >= end) {
      checkCancelled(options.signal, { maybeApplied });
      throw isLost ? failure(result, maybeApplied) : errorOf(result, maybeApplied);
    }
    await sleep(client, wait, options.signal, { maybeApplied });
  }
}

function failure({ isLate, cause }, maybeApplied) {
  const [type, message] = isLate ? [TimedOut, "no response in time"] : [ConnectionFailed, "the connection failed"];
  return new type(message, { cause, maybeApplied });
}

/** One try. What goes wrong is in the result: without `status` there was no whole response. */
async function attemptOnce(client, request, options, milliseconds, refused) {
  const controller = new AbortController();
  let isLate = milliseconds <= 0;
  const timer = setTimeout(() => controller.abort((isLate = true)), Math.max(milliseconds, 0));
  const stopListening = onAbort(options.signal, () => controller.abort());
  let wasSent = false;
  const attempt = async () => {
    const token = await tokenOf(client, refused);
    const headers = headersOf(client, request, options, token);
    const { method, body } = request;
    wasSent = true;
    const response = await (client.options.fetch ?? fetch)(urlOf(client, request), {
      method,
      headers,
      signal: controller.signal,
      ...(body && { body }),
    });
    const result = { ...facts(client, request, response), status: response.status, headers: response.headers, token };
    return Object.assign(result, request.isStream && response.ok ? { body: response.body } : await read(response));
  };
  try {
    // not every `fetch` ends when it is aborted: in Node, one whose connection broke in the body may never end
    const aborted = new Promise((_, reject) => onAbort(controller.signal, reject));
    return await Promise.race([attempt(), aborted]);
  } catch (cause) {
    const isCancelled = options.signal?.aborted;
    // an error of the caller's own token function is theirs
    if (!wasSent && !isCancelled && !isLate) throw cause;
    return { cause, isLate, wasSent: wasSent && !REFUSED.test(codes(cause)) };
  } finally {
    clearTimeout(timer);
    // a stream goes on: what was given for it must still end it
    if (!request.isStream) stopListening();
  }
}

/** The body, as it is and as JSON. A success that is not JSON was cut, or is not from the service. */
async function read(response) {
  const text = await response.text();
  try {
    return { text, body: text && JSON.parse(text) };
  } catch (error) {
    if (response.ok) throw error;
  }
}

/** What the headers of a response say. */
function facts(client, request, response) {
  const traceId = response.headers.get("Trace-Id") ?? undefined;
  const after = response.headers.get("Retry-After");
  // seconds, or a date
  const retryAfter = after ? Math.max(+after || (Date.parse(after) - Date.now()) / 1000 || 0, 0) : undefined;
  if (response.headers.has("Deprecation")) {
    const sunset = response.headers.get("Sunset") ?? undefined;
    client.options.onDeprecated?.({ method: request.method, path: request.path, sunset, traceId });
  }
  return { traceId, retryAfter };
}

const codes = (error, depth = 3) =>
  error && depth ? `${error.code} ${error.message} ${codes(error.cause, depth - 1)}` : "";

/** The token. The one that was refused is asked for anew, unless another call has got a new one already. */
async function tokenOf(client, refused) {
  const { token } = client.options;
  if (typeof token !== "function") return token;
  if (refused && refused.token === (await client.token)) client.token = undefined;
  client.token ??= (async () => token())();
  try {
    return await client.token;
  } catch (error) {
    // a failure is not kept
    client.token = undefined;
    throw error;
  }
}

function headersOf(client, request, options, token) {
  const { client: name, language, traceparent } = client.options;
  const headers = {
    ...request.headers,
    "Content-Type": request.body && request.media,
    "User-Agent": !client.isBrowser && name,
    Authorization: token && `Bearer ${token}`,
    "Accept-Language": options.language ?? language,
    traceparent: options.traceparent ?? (typeof traceparent === "function" ? traceparent() : traceparent),
  };
  const known = Object.entries(headers).filter(([, value]) => value);
  return { Accept: request.media, ...options.headers, ...Object.fromEntries(known) };
}

function urlOf(client, { path, query }) {
  const text = String(new URLSearchParams(query));
  return client.baseUrl + path + (text && "?" + text);
}
