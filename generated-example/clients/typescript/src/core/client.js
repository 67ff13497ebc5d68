// Part of every client that restwell generates. Do not edit.

// One request: its headers, its tries, its time limits, its errors.

import { Cancelled, ConnectionFailed, TimedOut, errorOf } from "./errors.js";

/** What is the same for all requests. */
export class Client {
  constructor(options) {
    this.options = { timeout: 30_000, deadline: 120_000, retries: 3, ...options };
    this.baseUrl = String(options.baseUrl).replace(/\/+$/, "");
    this.isBrowser = /^Mozilla/.test(globalThis.navigator?.userAgent ?? "");
    if (!this.isBrowser && !options.client?.trim()) {
      throw new TypeError('`client` is missing: the name and version of the program, such as "shop/1.2"');
    }
  }
}

/** What `get` returns where the representation has the tag of `ifNoneMatch`. */
export const NotModified = Symbol("NotModified");

const RETRIED = new Set([429, 502, 503, 504]);
/** What errors say where no connection was made: in Node, in Deno, in Bun. */
const REFUSED = /refused|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|FailedToOpenSocket/i;
const LONGEST_PAUSE = 5_000;

/** A pause that a signal ends. */
export const sleep = (client, milliseconds, signal) => (client.options.sleep ?? pause)(milliseconds, signal);

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Between half of it and all of it, so that clients do not come back together. */
export const jitter = (milliseconds) => milliseconds * (0.5 + Math.random() / 2);

/** Throws if the caller cancelled the call. */
export function checkCancelled(signal, details) {
  if (signal?.aborted) throw new Cancelled("the call was cancelled", { cause: signal.reason, ...details });
}

/** Sends a request, again where that is safe, and returns `{ status, headers, body, traceId }`. */
export async function send(client, request, options = {}) {
  const { retries, deadline, timeout } = { ...client.options, ...defined(options) };
  const isRepeatable = request.isRepeatable ?? request.method !== "POST";
  const end = Date.now() + deadline;
  let maybeApplied = false;
  let hasAskedAnew = false;
  for (let attempt = 1; ; attempt++) {
    checkCancelled(options.signal, { maybeApplied });
    const result = await attemptOnce(client, request, options, Math.min(timeout, end - Date.now()));
    if (result.status === 401 && !hasAskedAnew && (await forgetToken(client, result.token))) {
      hasAskedAnew = true;
      attempt--;
      continue;
    }
    if (result.status < 400) return result;
    const isWrite = request.method !== "GET" && !request.isDryRun;
    // a response of the service says that nothing was done; one from between, or none, says nothing
    const mayHaveBeen =
      isWrite && (result.status === undefined ? result.wasSent : result.status >= 500 && result.status !== 501);
    const mayTryAgain =
      result.status === undefined ? isRepeatable || !result.wasSent : isRepeatable && RETRIED.has(result.status);
    maybeApplied ||= mayHaveBeen;
    const wait =
      result.retryAfter === undefined ? jitter(Math.min(100 * 2 ** attempt, LONGEST_PAUSE)) : result.retryAfter * 1000;
    if (options.signal?.aborted || !mayTryAgain || attempt >= retries || Date.now() + wait >= end) {
      throw failure(result, maybeApplied, options.signal);
    }
    await sleep(client, wait, options.signal).catch(() => checkCancelled(options.signal, { maybeApplied }));
  }
}

const defined = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

function failure(result, maybeApplied, signal) {
  checkCancelled(signal, { maybeApplied });
  if (result.status !== undefined) {
    const { traceId, retryAfter } = result;
    return errorOf(result.status, result.body, { traceId, retryAfter, maybeApplied });
  }
  const type = result.isLate ? TimedOut : ConnectionFailed;
  return new type(result.isLate ? "no response in time" : "the connection failed", {
    cause: result.cause,
    maybeApplied,
  });
}

/** One try. What goes wrong is in the result: without `status` there was no whole response. */
async function attemptOnce(client, request, options, milliseconds) {
  const controller = new AbortController();
  let isLate = milliseconds <= 0;
  const timer = setTimeout(() => controller.abort((isLate = true)), Math.max(milliseconds, 0));
  const stop = () => controller.abort();
  options.signal?.addEventListener("abort", stop, { once: true });
  let wasSent = false;
  const attempt = async () => {
    const token = await tokenOf(client);
    const headers = headersOf(client, request, options, token);
    wasSent = true;
    const response = await (client.options.fetch ?? fetch)(urlOf(client, request), {
      method: request.method,
      headers,
      signal: controller.signal,
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const body = request.isStream && response.ok ? response.body : parsed(await response.text(), response.ok);
    return { status: response.status, headers: response.headers, body, token, ...facts(client, request, response) };
  };
  try {
    // not every `fetch` ends when it is aborted: in Node, one whose connection broke in the body may never end
    const aborted = new Promise((_, reject) => controller.signal.addEventListener("abort", reject));
    return await Promise.race([attempt(), aborted]);
  } catch (cause) {
    const isCancelled = options.signal?.aborted;
    // an error of the caller's own token function is theirs
    if (!wasSent && !isCancelled && !isLate) throw cause;
    return { cause, isLate, wasSent: wasSent && !REFUSED.test(codes(cause)) };
  } finally {
    clearTimeout(timer);
    // a stream goes on: what was given for it must still end it
    if (!request.isStream) options.signal?.removeEventListener("abort", stop);
  }
}

/** The body as JSON. A success that is not JSON was cut, or is not from the service. */
function parsed(text, isSuccess) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    if (isSuccess) throw error;
    return undefined;
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

async function tokenOf(client) {
  const { token } = client.options;
  if (typeof token !== "function") return token;
  client.token ??= (async () => token())();
  try {
    return await client.token;
  } catch (error) {
    // a failure is not kept
    client.token = undefined;
    throw error;
  }
}

/** Whether there may be another token than this one, which was refused. */
async function forgetToken(client, used) {
  if (typeof client.options.token !== "function") return false;
  // another call may have got a new one already
  if ((await client.token) === used) client.token = undefined;
  return true;
}

function headersOf(client, request, options, token) {
  const { client: name, language, traceparent } = client.options;
  const trace = options.traceparent ?? (typeof traceparent === "function" ? traceparent() : traceparent);
  const headers = { Accept: request.media, ...options.headers, ...request.headers };
  if (request.body !== undefined) headers["Content-Type"] = request.media;
  if (!client.isBrowser) headers["User-Agent"] = name;
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.language ?? language) headers["Accept-Language"] = options.language ?? language;
  if (trace) headers.traceparent = trace;
  return headers;
}

function urlOf(client, { path, query = [] }) {
  const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  return client.baseUrl + path + (text && "?" + text);
}
