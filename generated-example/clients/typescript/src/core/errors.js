// Part of every client that restwell generates. Do not edit.

// What calls throw. Every error of this package is a `ClientError`.

export class ClientError extends Error {
  constructor(message, details) {
    super(message);
    Object.assign(this, details);
  }
}

export class ConnectionFailed extends ClientError {}
export class TimedOut extends ClientError {}
export class Cancelled extends ClientError {}

export class ProblemsError extends ClientError {
  has(code, path) {
    return this.problems.some((problem) => problem.code === code && (path === undefined || problem.path === path));
  }
  at(path) {
    return this.problems.filter((problem) => problem.path === path || problem.path?.startsWith(path + "."));
  }
}

export class CommandFailed extends ProblemsError {}

export class ApiError extends ProblemsError {}
export class Malformed extends ApiError {}
export class Unauthenticated extends ApiError {}
export class Forbidden extends ApiError {}
export class NotFound extends ApiError {}
export class Gone extends ApiError {}
export class EventsGone extends Gone {}
export class PreconditionFailed extends ApiError {}
export class Invalid extends ApiError {}
export class RateLimited extends ApiError {}
export class ServerError extends ApiError {}

const types = {
  ClientError,
  ConnectionFailed,
  TimedOut,
  Cancelled,
  CommandFailed,
  ApiError,
  Malformed,
  Unauthenticated,
  Forbidden,
  NotFound,
  Gone,
  EventsGone,
  PreconditionFailed,
  Invalid,
  RateLimited,
  ServerError,
};
// names of classes would not survive a minifier
for (const name in types) types[name].prototype.name = name;

const classes = {
  400: Malformed,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  410: Gone,
  412: PreconditionFailed,
  422: Invalid,
  429: RateLimited,
};

/** The first problems, in words. */
export const summary = (problems) =>
  problems
    .slice(0, 3)
    .map((problem) => `${problem.path ? problem.path + ": " : ""}${problem.message}`)
    .join("; ");

/** The error of a response. `maybeApplied`: this try, or an earlier one, may have been carried out. */
export function errorOf(status, body, details) {
  const problems = Array.isArray(body?.errors) ? body.errors : [];
  const type = classes[status] ?? (status >= 500 ? ServerError : ApiError);
  return new type(`${status} ${summary(problems) || "without a reason"}`, { status, problems, ...details });
}
