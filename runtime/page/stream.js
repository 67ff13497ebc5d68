/**
 * Events as they happen. `EventSource` cannot send a token, so the stream is read by `fetch`.
 *
 * @typedef {{ id: string, type: string, data: any }} StreamEvent
 */
import { address, commonHeaders, parse } from './client.js';
import { listen, refresh } from './store.js';

/** Events that are kept for display. */
const KEPT = 100;
/** Milliseconds before a stream that has ended is opened again: they double. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/** A stream that reconnects until it is stopped. */
export class EventFeed {
  /** @param {[string, string][]} query parameters of `/events` */
  constructor(query) {
    this.query = query;
    /** @type {StreamEvent[]} the newest first */
    this.events = [];
    /** @type {'connecting' | 'live' | 'waiting' | 'refused' | 'stopped'} */
    this.state = 'stopped';
    /** The status of a refusal. */
    this.status = 0;
    this.lastId = '';
    this.abort = new AbortController();
    this.unlisten = () => false;
  }

  start() {
    this.unlisten = listen((changed) => {
      if (changed.includes('token')) this.reopen();
    });
    this.reopen();
    return this;
  }

  stop() {
    this.unlisten();
    this.abort.abort();
    this.state = 'stopped';
    refresh();
  }

  reopen() {
    this.abort.abort();
    this.abort = new AbortController();
    void this.follow(this.abort.signal);
  }

  /** @param {AbortSignal} signal */
  async follow(signal) {
    let pause = FIRST_PAUSE;
    while (!signal.aborted) {
      this.enter('connecting');
      try {
        if (await this.read(signal)) pause = FIRST_PAUSE;
      } catch {
        // it is opened again below
      }
      if (signal.aborted) return;
      if (this.state === 'refused') return;
      this.enter('waiting');
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }

  /** Reads until the stream ends. @param {AbortSignal} signal @returns {Promise<boolean>} whether it was open */
  async read(signal) {
    const query = new URLSearchParams(this.query).toString();
    const headers = [['Accept', 'text/event-stream'], ...commonHeaders()];
    if (this.lastId) headers.push(['Last-Event-ID', this.lastId]);
    const options = { headers: /** @type {[string, string][]} */ (headers), signal };
    const response = await fetch(address(`/events${query && `?${query}`}`), options);
    if (response.status === 410) {
      this.lastId = '';
      return false;
    }
    if (!response.ok || !response.body) {
      this.status = response.status;
      // too many requests, or too busy: another time
      this.enter(response.status === 429 || response.status >= 500 ? 'waiting' : 'refused');
      return false;
    }
    this.enter('live');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const take = lineReader((event) => this.add(event));
    for (let part = await reader.read(); !part.done; part = await reader.read()) take(part.value);
    return true;
  }

  /** @param {StreamEvent} event */
  add(event) {
    this.lastId = event.id || this.lastId;
    this.events = [event, ...this.events].slice(0, KEPT);
    refresh();
  }

  /** @param {EventFeed['state']} state */
  enter(state) {
    this.state = state;
    refresh();
  }
}

/**
 * Takes the text of a stream in pieces and gives its events.
 * @param {(event: StreamEvent) => void} give
 */
export function lineReader(give) {
  let rest = '';
  let event = { id: '', type: '', data: '' };
  /** @param {string} line */
  const takeLine = (line) => {
    if (line === '') {
      if (event.data) give({ ...event, data: parse(event.data) });
      event = { id: '', type: '', data: '' };
      return;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'id') event.id = value;
    if (name === 'event') event.type = value;
    if (name === 'data') event.data += value;
  };
  return (/** @type {string} */ text) => {
    const lines = (rest + text).split(/\r\n|\n/);
    rest = lines.pop() ?? '';
    lines.forEach(takeLine);
  };
}
