// Commands: sent with an id of the client's, then polled until they have ended.

import { checkCancelled, jitter, sleep } from "./client.js";
import { CommandFailed, ConnectionFailed, RateLimited, ServerError, TimedOut, summary } from "./errors.js";
import { list } from "./lists.js";
import { call, place, problems, segment } from "./place.js";

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
const GROWTH = 1.6;
/** What a command may take longer than its own timeout: it waits for its turn. */
const GRACE = 30_000;

/** A UUID of version 7. */
export function uuid7() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const time = Date.now().toString(16).padStart(12, "0");
  const variant = "89ab"[bytes[8] & 3];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** A command that was sent. */
class Handle {
  #at;
  #timeout;
  #known;
  constructor(at, timeout, entityId, id, known) {
    Object.assign(this, { entityId, id });
    this.#at = at;
    this.#timeout = timeout;
    this.#known = known;
  }

  toJSON() {
    return { entityId: this.entityId, commandId: this.id };
  }

  async status(options) {
    const { body, retryAfter } = await call(this.#at, "GET", segment(this.id), {}, options);
    this.#known = body;
    return retryAfter === undefined ? body : Object.defineProperty(body, "retryAfter", { value: retryAfter });
  }

  /** Polls until the command has ended. Cancelling this does not cancel the command. */
  async wait({ patience = this.#timeout + GRACE, ...options } = {}) {
    const { client } = this.#at;
    const handle = this;
    const end = Date.now() + patience;
    let wait = FIRST_PAUSE;
    for (;;) {
      const command = this.#known;
      if (command && command.status !== "RUNNING") return ended(command, handle);
      const pause = Math.max(jitter(wait), (command?.retryAfter ?? 0) * 1000);
      wait = Math.min(wait * GROWTH, LONGEST_PAUSE);
      if (Date.now() + pause >= end) throw new TimedOut("the command has not ended in time", { handle });
      await sleep(client, pause, options.signal).catch(() => checkCancelled(options.signal, { handle }));
      await this.status(options).catch((error) => {
        // reading is safe: what passes is waited for
        if (!isPassing(error)) throw Object.assign(error, { handle });
      });
    }
  }
}

const isPassing = (error) =>
  error instanceof ConnectionFailed ||
  error instanceof TimedOut ||
  error instanceof RateLimited ||
  (error instanceof ServerError && error.status > 501);

function ended(command, handle) {
  if (command.status !== "FAILED") return command;
  const problems = command.errors;
  throw new CommandFailed(`the command failed: ${summary(problems)}`, { problems, command, handle });
}

/** The method of a command: its word in the path, its array in lists, how long the service lets it run. */
export const command = ({ client, path, media }, name, items, timeout) => {
  const at = (id) => place(client, `${path}${segment(id)}/${name}`, media, items);
  const resume = ({ entityId, commandId }) => new Handle(at(entityId), timeout, entityId, commandId);
  const start = async (id, input, { commandId = uuid7(), ...options } = {}) => {
    try {
      const { body } = await call(at(id), "PUT", segment(commandId), { body: input }, options);
      return new Handle(at(id), timeout, id, commandId, body);
    } catch (error) {
      // so that the caller can find out what became of it
      throw Object.assign(error, { handle: resume({ entityId: id, commandId }) });
    }
  };
  const run = async (id, input, { patience, ...options } = {}) => {
    const handle = await start(id, input, options);
    const { commandId, ...rest } = options;
    return handle.wait({ ...rest, ...(patience !== undefined && { patience }) });
  };
  return Object.assign(run, {
    start,
    resume,
    check: (id, input, options) => problems(at(id), "PUT", segment(uuid7()), { body: input }, options),
    list: (id, filters, options) => list(at(id))(filters, options),
  });
};
