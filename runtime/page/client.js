/**
 * Requests to the service, with the reader's own token, and what comes back.
 *
 * @import { Operation } from './interface.js'
 * @typedef {{ method: string, path: string, headers: [string, string][], body: string | null }} Call
 * @typedef {{ call: Call, status: number, reason: string, headers: [string, string][], text: string, json: any,
 *   milliseconds: number }} Reply
 * @typedef {{ ids?: Record<string, string>, query?: [string, string][], body?: string | null,
 *   mediaType?: string | null, headers?: Record<string, string> }} Parts
 */
import { fromJson } from './numbers.js';
import { settings } from './store.js';

/** Where the service is: the page's files are one level below. */
const BASE = new URL('..', import.meta.url);

/** The languages of messages, as they are asked for. */
const LANGUAGES = { en: 'en-US', pl: 'pl-PL' };

/** The headers that every call has. @returns {[string, string][]} */
export function commonHeaders() {
  const token = settings.token ? [['Authorization', `Bearer ${settings.token}`]] : [];
  return /** @type {[string, string][]} */ ([['Accept-Language', LANGUAGES[settings.language]], ...token]);
}

/**
 * The call of an operation.
 * @param {Operation} operation @param {Parts} parts @returns {Call}
 */
export function prepare(operation, { ids = {}, query = [], body = null, mediaType = null, headers = {} }) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? ''));
  const text = new URLSearchParams(query).toString();
  /** @type {[string, string][]} */
  const all = [];
  if (mediaType) all.push(['Accept', mediaType]);
  if (mediaType && body !== null) all.push(['Content-Type', mediaType]);
  all.push(...commonHeaders());
  all.push(...Object.entries(headers).filter(([, value]) => value !== ''));
  return { method: operation.method, path: `${path}${text && `?${text}`}`, headers: all, body };
}

/** The address of a path of the service. @param {string} path */
export function address(path) {
  return new URL(path.slice(1), BASE).href;
}

/**
 * Sends a call. It fails only if there is no response.
 * @param {Call} call @param {AbortSignal} [signal] @returns {Promise<Reply>}
 */
export async function send(call, signal) {
  const started = performance.now();
  const { method, headers, body } = call;
  const options = { method, headers, body, signal, cache: /** @type {const} */ ('no-store') };
  const response = await fetch(address(call.path), options);
  const text = await response.text();
  return {
    call,
    status: response.status,
    reason: response.statusText,
    headers: [...response.headers],
    text,
    json: parse(text),
    milliseconds: performance.now() - started,
  };
}

/** @param {string} text @returns {any} JSON; undefined if it is none */
export function parse(text) {
  try {
    return fromJson(text);
  } catch {
    return undefined;
  }
}

/** @param {Reply} reply @param {string} name */
export function header(reply, name) {
  return reply.headers.find(([known]) => known === name)?.[1] ?? '';
}

/** A new random UUID. `crypto.randomUUID` is missing where the page comes by plain HTTP from another machine. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
