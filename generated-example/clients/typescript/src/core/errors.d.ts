// Part of every client that restwell generates. Do not edit.

// What calls throw. Every error of this package is a `ClientError`.

import type { ErrorCode, Handle, Problem } from "./types.js";

export class ClientError extends Error {
  /**
   * The request may have been carried out although the call failed: its response was lost. A creation is then not
   * sent again; look before you send it.
   */
  readonly maybeApplied?: boolean;
  /** Of a command: what was sent, to find out what became of it. */
  readonly handle?: Handle<unknown>;
  /** Of an event stream: where to go on. */
  readonly cursor?: string;
}

/** No response, or a part of one. */
export class ConnectionFailed extends ClientError {}
/** No response in time, the deadline has passed, or a command has not ended. */
export class TimedOut extends ClientError {}
/** The caller's signal ended the call. A command that was sent goes on. */
export class Cancelled extends ClientError {}

export class ProblemsError extends ClientError {
  readonly problems: readonly Problem[];
  /** Whether there is a problem with this code, at this path if one is given. */
  has(code: ErrorCode, path?: string): boolean;
  /** The problems at a path and below it. */
  at(path: string): Problem[];
}

/** The command ended as FAILED. */
export class CommandFailed<C = unknown> extends ProblemsError {
  readonly command: C;
}

/** The service refused the request, or failed. */
export class ApiError extends ProblemsError {
  readonly status: number;
  /** Identifies the request in the logs of the service. */
  readonly traceId?: string;
  /** Seconds to wait before another attempt. */
  readonly retryAfter?: number;
}
/** 400 */
export class Malformed extends ApiError {}
/** 401 */
export class Unauthenticated extends ApiError {}
/** 403 */
export class Forbidden extends ApiError {}
/** 404 */
export class NotFound extends ApiError {}
/** 410 */
export class Gone extends ApiError {}
/** The events after the cursor are no longer kept: read the entities again, then go on without a cursor. */
export class EventsGone extends Gone {}
/** 412: the entity has changed since it was read. */
export class PreconditionFailed extends ApiError {}
/** 422 */
export class Invalid extends ApiError {}
/** 429 */
export class RateLimited extends ApiError {}
/** 500 and above */
export class ServerError extends ApiError {}
