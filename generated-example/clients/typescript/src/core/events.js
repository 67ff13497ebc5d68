// Part of every client that restwell generates. Do not edit.

// The event stream: read with `fetch`, resumed after every break, each event once.

import { checkCancelled, jitter, onAbort, send, sleep } from "./client.js";
import { ApiError, ClientError, EventsGone, Gone, RateLimited, ServerError } from "./errors.js";
import { filterPairs } from "./lists.js";

/** A stream that is silent for so long is dead: the service sends something every 15 seconds. */
const SILENCE = 45_000;
const LONGEST_PAUSE = 30_000;
/** How many ids of events are kept to notice repeats. */
const REMEMBERED = 10_000;

/** The events of a service from now on, or after a cursor. */
export async function* events(client, known, { after, signal, ...filters } = {}) {
  const seen = new Set();
  let cursor = after;
  let failures = 0;
  for (;;) {
    try {
      for await (const { id, data } of stream(client, filterPairs(filters), cursor, signal)) {
        failures = 0;
        cursor = id ?? cursor;
        if (data === "") continue;
        const event = JSON.parse(data);
        if (seen.has(event.id)) continue;
        seen.add(event.id);
        if (seen.size > REMEMBERED) seen.delete(seen.values().next().value);
        const shown = known(event.type) ? event : { type: "unknown", event };
        yield Object.defineProperty(shown, "cursor", { value: cursor });
      }
    } catch (error) {
      checkCancelled(signal, { cursor });
      if (error instanceof Gone) throw new EventsGone(error.message, { ...error, cursor });
      const isPassing = error instanceof ServerError || error instanceof RateLimited;
      if (error instanceof ApiError && !isPassing) throw error;
      if (!(error instanceof ClientError || error.isBroken)) throw error;
    }
    const wait = jitter(Math.min(500 * 2 ** failures++, LONGEST_PAUSE));
    await sleep(client, wait, signal, { cursor });
  }
}

/** One connection: its messages, until it ends. */
async function* stream(client, query, cursor, signal) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const stopListening = onAbort(signal, stop);
  let timer;
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, client.options.silence ?? SILENCE);
  };
  try {
    const headers = { "Last-Event-ID": cursor };
    const request = { method: "GET", path: "/events", query, headers, media: "text/event-stream", isStream: true };
    const { body } = await send(client, request, { signal: controller.signal, retries: 1 });
    watch();
    yield* messages(body, watch);
  } catch (error) {
    throw error instanceof ClientError
      ? error
      : Object.assign(new Error("the stream broke", { cause: error }), { isBroken: true });
  } finally {
    clearTimeout(timer);
    stop();
    stopListening();
  }
}

/** The messages of a body in the format of server-sent events. */
async function* messages(body, watch) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let message = { data: "" };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    watch();
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      const [, name, text] = /^([^:]*):? ?(.*)$/s.exec(line);
      if (line === "") {
        if (message.data !== "" || message.id !== undefined) yield message;
        message = { data: "" };
      } else if (name === "data") message.data += (message.data && "\n") + text;
      else if (name === "id") message.id = text;
    }
  }
}
