// Commands: sent with an id of the client's, then polled until they have ended.

import { jitter, sleep } from "./client.js";
import { CommandFailed, ConnectionFailed, RateLimited, TimedOut, summary } from "./errors.js";
import { list } from "./lists.js";
import { call, place, problems, segment } from "./place.js";

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
const GROWTH = 1.6;
/** What a command may take longer than its own timeout: it waits for its turn. */
const GRACE = 30_000;

/** A UUID of version 7. */
export function uuid7() {
  const numbers = [Date.now(), ...crypto.getRandomValues(new Uint8Array(10))];
  const digits = numbers.map((number, at) => number.toString(16).padStart(at ? 2 : 12, 0));
  return digits.join("").replace(/(.{8})(.{4}).(...).(...)/, "$1-$2-7$3-8$4-");
}

/** What passes is waited for: reading is safe. */
const isPassing = (error) =>
  error instanceof ConnectionFailed ||
  error instanceof TimedOut ||
  error instanceof RateLimited ||
  error.status > 501;

function ended(command, handle) {
  if (command.status !== "FAILED") return command;
  const problems = command.errors;
  throw new CommandFailed(`the command failed: ${summary(problems)}`, { problems, command, handle });
}

/** A command: its handle, and the function that sends it or asks for it. */
function commandOf(at, timeout, entityId, id) {
  let known;
  // seconds that the service asks to wait
  let after = 0;
  const ask = async (method, request, options) => {
    const response = await call(at, method, segment(id), request, options);
    after = response.retryAfter ?? 0;
    return (known = response.body);
  };
  const handle = {
    entityId,
    id,
    toJSON: () => ({ entityId, commandId: id }),
    status: (options) => ask("GET", {}, options),
    /** Polls until the command has ended. Cancelling this does not cancel the command. */
    async wait(options = {}) {
      const end = Date.now() + (options.patience ?? timeout + GRACE);
      for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * GROWTH, LONGEST_PAUSE)) {
        if (known && known.status !== "RUNNING") return ended(known, handle);
        const pause = Math.max(jitter(wait), after * 1000);
        if (Date.now() + pause >= end) throw new TimedOut("the command has not ended in time", { handle });
        await sleep(at.client, pause, options.signal, { handle });
        await handle.status(options).catch((error) => {
          if (!isPassing(error)) throw Object.assign(error, { handle });
        });
      }
    },
  };
  return { handle, ask };
}

/** The method of a command: its word in the path, its array in lists, how long the service lets it run. */
export const command = ({ client, path, media }, name, items, timeout) => {
  const at = (id) => place(client, `${path}${segment(id)}/${name}`, media, items);
  const start = async (id, input = {}, options) => {
    const { handle, ask } = commandOf(at(id), timeout, id, options?.commandId ?? uuid7());
    try {
      await ask("PUT", { body: input }, options);
      return handle;
    } catch (error) {
      // so that the caller can find out what became of it
      throw Object.assign(error, { handle });
    }
  };
  const run = async (id, input, options) => (await start(id, input, options)).wait(options);
  return Object.assign(run, {
    start,
    resume: ({ entityId, commandId }) => commandOf(at(entityId), timeout, entityId, commandId).handle,
    check: (id, input = {}, options) => problems(at(id), "PUT", segment(uuid7()), { body: input }, options),
    list: (id, filters, options) => list(at(id))(filters, options),
  });
};
