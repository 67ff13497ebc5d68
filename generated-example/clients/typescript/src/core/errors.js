// Part of every client that restwell generates. Do not edit.

// What calls throw. Every error of this package is a `ClientError`.

export class ClientError extends Error {
  constructor(message, details) {
    super(message);
    Object.assign(this, details);
  }
}

/** Classes by their names, given as texts: those of class declarations would not survive a minifier. */
const named = (base, names) =>
  names.split(" ").map(
    (name) =>
      class extends base {
        static name = name;
        name = name;
      },
  );

export class ProblemsError extends ClientError {
  has(code, path) {
    return this.problems.some((problem) => problem.code === code && (path === undefined || problem.path === path));
  }
  at(path) {
    return this.problems.filter((problem) => (problem.path + ".").startsWith(path + "."));
  }
}

export const [ConnectionFailed, TimedOut, Cancelled] = named(ClientError, "ConnectionFailed TimedOut Cancelled");
export const [CommandFailed, ApiError] = named(ProblemsError, "CommandFailed ApiError");
const ofStatus = named(
  ApiError,
  "Malformed Unauthenticated Forbidden NotFound Gone PreconditionFailed Invalid RateLimited ServerError",
);
export const [
  Malformed,
  Unauthenticated,
  Forbidden,
  NotFound,
  Gone,
  PreconditionFailed,
  Invalid,
  RateLimited,
  ServerError,
] = ofStatus;
export const [EventsGone] = /* @__PURE__ */ named(Gone, "EventsGone");

/** The first problems, in words. */
export const summary = (problems) =>
  problems
    .slice(0, 3)
    .map((problem) => `${problem.path ? problem.path + ": " : ""}${problem.message}`)
    .join("; ");

/** The error of a response. `maybeApplied`: this try, or an earlier one, may have been carried out. */
export function errorOf({ status, body, traceId, retryAfter }, maybeApplied) {
  const problems = Array.isArray(body?.errors) ? body.errors : [];
  const known = ofStatus[[400, 401, 403, 404, 410, 412, 422, 429].indexOf(status)];
  const type = known ?? (status >= 500 ? ServerError : ApiError);
  const message = `${status} ${summary(problems) || "no reason"}`;
  return new type(message, { status, problems, traceId, retryAfter, maybeApplied });
}
