// Part of every client that restwell generates. Do not edit.

// The types that the modules of all resources share.

/** What is the same for all requests. */
export interface ClientOptions extends RequestDefaults {
  /** Where the service is: `https://api.example.com`. */
  baseUrl: string | URL;
  /** The name and version of your program: `shop/1.2`. Required outside of browsers, which send their own. */
  client?: string;
  /** A bearer token, or a function that gets one. The function is asked again once when a token is refused. */
  token?: string | (() => string | Promise<string>);
  /** The languages of messages for users: `pl-PL, en;q=0.5`. */
  language?: string;
  /** A W3C trace that requests are part of. */
  traceparent?: string | (() => string | undefined);
  /** Is called when a response says that the request used something deprecated. */
  onDeprecated?: (use: Deprecated) => void;
  /** In the place of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** In the place of a timer: pauses between attempts. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds without a sign of life after which an event stream is opened anew; default 45,000. */
  silence?: number;
}

interface RequestDefaults {
  /** Milliseconds for each try; default 30,000. */
  timeout?: number;
  /** Milliseconds for all tries together; default 120,000. */
  deadline?: number;
  /** Tries in all, the first one included; 1 switches retries off; default 3. */
  retries?: number;
}

/** What one call can say about its requests. */
export interface Options extends RequestDefaults {
  /** Ends the call. */
  signal?: AbortSignal;
  language?: string;
  traceparent?: string;
  headers?: Record<string, string>;
}

export interface Deprecated {
  method: string;
  path: string;
  /** The day from which it may be gone, as in the header `Sunset`. */
  sunset?: string;
  traceId?: string;
}

export class Client {
  constructor(options: ClientOptions);
  readonly baseUrl: string;
}

/** What `get` returns where the representation still has the tag of `ifNoneMatch`. */
export const NotModified: unique symbol;

/** One of these, or one that the service has learned since. */
export type Open<T extends string> = T | (string & {});

export interface Price {
  /** Digits, a dot and two digits: `"1899.00"`. */
  amount: string;
  currency: string;
}

/** The codes of errors that every service has, and those of its own rules. */
export type ErrorCode = Open<
  "MalformedJson" | "MissingUserAgent" | "MalformedRequest" | "Unauthenticated" | "Forbidden" | "RejectedForbidden" | "ResourceNotFound" | "RejectedNotFound" | "MethodNotAllowed" | "NotAcceptable" | "RejectedConflict" | "VersionRetired" | "SearchExpired" | "CommandExpired" | "EventsGone" | "PreconditionFailed" | "BodyTooLarge" | "UriTooLong" | "UnsupportedMediaType" | "UnsupportedEncoding" | "Required" | "WrongType" | "InvalidText" | "TooShort" | "TooLong" | "PatternMismatch" | "NotEmail" | "NotUri" | "TooSmall" | "TooLarge" | "NotUtc" | "InvalidTimestamp" | "InvalidDate" | "InvalidTime" | "InvalidDuration" | "InvalidCountry" | "InvalidLanguage" | "InvalidCurrency" | "InvalidTimezone" | "InvalidPhone" | "InvalidAmount" | "InvalidDecimal" | "TooManyDigits" | "CurrencyNotAllowed" | "UnknownValue" | "InvalidUuid" | "NotFound" | "TooFewItems" | "InvalidPatch" | "TestFailed" | "TooManyItems" | "DuplicateItem" | "InvalidName" | "NameMismatch" | "TooManyBytes" | "TooDeep" | "NumberTooLong" | "UnknownProperty" | "UnknownParameter" | "InvalidParameter" | "RepeatedParameter" | "NotUnique" | "StillReferenced" | "Immutable" | "PathMismatch" | "NamesDiffer" | "PageTooLarge" | "SearchFiltersFixed" | "CommandIdUsed" | "WrongState" | "Rejected" | "RuleBroken" | "Timeout" | "Cancelled" | "RateLimited" | "HeadTooLarge" | "InternalError" | "NotReady" | "BadGateway" | "Unavailable" | "TooCostly" | "GatewayTimeout"
>;

export interface Problem {
  /** For developers, in English. */
  message: string;
  code: ErrorCode;
  details: unknown;
  /** Dotted, with indexes: `shippingOptions.0.price.amount`. */
  path: string | null;
  /** For users, in the language of the request. */
  userMessage: string;
}

/**
 * Where an entity has what its response said beside it: `offer[metadata].etag`. A field cannot be called so. A spread
 * copies it, JSON and `structuredClone` leave it out.
 */
export const metadata: unique symbol;

export interface Metadata {
  /** The tag of the representation: with it, a change is made only if the entity still is as it was read. */
  readonly etag?: string;
  /** Identifies the request in the logs of the service. */
  readonly traceId?: string;
}

/** An entity as a response had it. */
export type Entity<T> = T & { readonly [metadata]: Metadata };

/** A change that is made later. */
export interface Accepted {
  id: string | undefined;
  location: string | undefined;
  traceId: string | undefined;
}

// conditions

export type AnyOf<T> = T | readonly T[];
/** A value, one of several, or none (null). */
export type Equal<T> = T | null | readonly (T | null)[];
export interface Bounds<T> {
  gt?: T;
  gte?: T;
  lt?: T;
  lte?: T;
}

// methods

export interface ListOptions<S> extends Options {
  /** The order; without it, that of creation. Only then, and with `id` or `-id`, do pages stay whole while others write. */
  sort?: readonly S[];
  /** Entities per request; default 1,000, which is the most. */
  pageSize?: number;
}

export interface Page<T> {
  items: T[];
  /** How many there are in all, where the service counts them. */
  count?: number;
  traceId?: string;
}

/** A collection that is read when it is iterated over. */
export interface List<T> extends AsyncIterable<T> {
  pages(options?: { limit?: number }): AsyncGenerator<Page<T>, void, undefined>;
  toArray(): Promise<T[]>;
}
export interface CountedList<T> extends List<T> {
  count(): Promise<number>;
}

export type ListMethod<T, F, S> = (filters?: F, options?: ListOptions<S>) => List<T>;
export type CountedListMethod<T, F, S> = (filters?: F, options?: ListOptions<S>) => CountedList<T>;

export interface CheckOptions extends Options {
  /** Only these properties are checked, and what is under them. */
  include?: readonly string[];
}
interface Conditional extends Options {
  /** The change is made only if the entity has this tag. */
  ifMatch?: string;
  /** The change is made whatever others have changed meanwhile. */
  overwrite?: true;
}
/** What is changed without its tag: with another tag, or whatever others have changed. */
type Deliberate = Conditional & ({ ifMatch: string } | { overwrite: true });
type CheckConditional = CheckOptions & Conditional;

/** `check` runs everything and writes nothing; it returns the problems. */
export interface CreateMethod<R, D> {
  (draft: D, options?: Options): Promise<R>;
  check(draft: Partial<D>, options?: CheckOptions): Promise<Problem[]>;
}

export interface GetMethod<T> {
  (id: string, options?: Options & { ifNoneMatch?: never }): Promise<Entity<T>>;
  (id: string, options: Options & { ifNoneMatch: string }): Promise<Entity<T> | typeof NotModified>;
}

/** With an entity that was read, or a spread of it, only if it has not changed since. */
export interface UpdateMethod<R, T, D> {
  (entity: Entity<T> & { id: string }, options?: Conditional): Promise<R>;
  (entity: T & { id: string }, options: Deliberate): Promise<R>;
  (id: string, update: D, options: Deliberate): Promise<R>;
  readonly check: {
    (entity: Entity<T> & { id: string }, options?: CheckConditional): Promise<Problem[]>;
    (id: string, update: Partial<D>, options?: CheckConditional): Promise<Problem[]>;
  };
}

export interface PatchOperation {
  op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  path: string;
  from?: string;
  value?: unknown;
}
export interface PatchMethod<R> {
  (target: Target, operations: readonly PatchOperation[], options?: Conditional): Promise<R>;
  check(target: Target, operations: readonly PatchOperation[], options?: CheckConditional): Promise<Problem[]>;
}

/** An id, or an entity, which is changed only if it has not changed since it was read. */
type Target = string | Entity<{ id: string }>;
export interface DeleteMethod {
  (target: Target, options?: Conditional): Promise<void>;
  check(target: Target, options?: CheckConditional): Promise<Problem[]>;
}

/** The function changes the entity, or returns another one. It may be called again with a newer entity. */
export type EditMethod<T> = (
  id: string,
  change: (entity: T) => T | void | Promise<T | void>,
  options?: Options,
) => Promise<Entity<T>>;

export interface SearchMethod<L, C, Q, S> {
  /** The entities that meet the criteria, or those of a search that was stored. */
  (criteria: C | string, options?: ListOptions<S>): L;
  create(criteria: C, options?: Options): Promise<Entity<Q>>;
  get(id: string, options?: Options): Promise<Entity<Q>>;
  check(criteria: C, options?: CheckOptions): Promise<Problem[]>;
}

// commands

export interface StoredHandle {
  entityId: string;
  commandId: string;
}

interface WaitOptions extends Options {
  /** Milliseconds to wait at most; by default the time that the service gives the command, and 30,000. */
  patience?: number;
}

/** A command that was sent. `JSON.stringify` makes what `resume` takes. */
export interface Handle<C> {
  readonly entityId: string;
  readonly id: string;
  status(options?: Options): Promise<C>;
  /** Polls until it has ended. Cancelling this does not cancel the command. */
  wait(options?: WaitOptions): Promise<C>;
  toJSON(): StoredHandle;
}

interface CommandOptions {
  /** The command's id, which makes it happen once however often it is sent; one is made by default. */
  commandId?: string;
}

/** Sends the command and waits for its end; a command that fails is thrown as `CommandFailed`. */
export interface CommandMethod<I, C extends { status: string }> extends SentCommands<C> {
  (id: string, input: I, options?: WaitOptions & CommandOptions): Promise<C>;
  start(id: string, input: I, options?: Options & CommandOptions): Promise<Handle<C>>;
  check(id: string, input: Partial<I>, options?: CheckOptions): Promise<Problem[]>;
}

/** The same, of a command that needs no input. */
export interface BareCommandMethod<I, C extends { status: string }> extends SentCommands<C> {
  (id: string, input?: I, options?: WaitOptions & CommandOptions): Promise<C>;
  start(id: string, input?: I, options?: Options & CommandOptions): Promise<Handle<C>>;
  check(id: string, input?: Partial<I>, options?: CheckOptions): Promise<Problem[]>;
}

interface SentCommands<C extends { status: string }> {
  /** A handle from what was stored, after a restart for example. */
  resume(stored: StoredHandle): Handle<C>;
  list(id: string, filters?: CommandFilters, options?: ListOptions<CommandSort>): CountedList<C>;
}

export interface CommandFilters {
  id?: Equal<string> | Bounds<string>;
  createdAt?: Equal<string> | Bounds<string>;
  updatedAt?: Equal<string> | Bounds<string>;
  status?: Equal<"RUNNING" | "SUCCESSFUL" | "FAILED">;
}
export type CommandStatus = "RUNNING" | "SUCCESSFUL" | "FAILED";
export type CommandSort = "id" | "-id" | "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "status" | "-status";

// events

export interface CloudEvent<T extends string, D> {
  specversion: string;
  /** The same on every channel. */
  id: string;
  source: string;
  type: T;
  /** The id of the entity. */
  subject: string;
  time: string;
  datacontenttype: string;
  traceid: string;
  traceparent?: string;
  /** The id of the caller who caused it. */
  actor?: string;
  data: D;
  /** Where to go on: `events({ after: event.cursor })`. */
  readonly cursor?: string;
}

/** An event of a type that is newer than this package. */
export interface UnknownEvent {
  type: "unknown";
  event: CloudEvent<string, unknown>;
  readonly cursor?: string;
}

export interface DeletedEntity {
  id: string;
}
export interface CommandChange {
  id: string;
  status: CommandStatus;
}
