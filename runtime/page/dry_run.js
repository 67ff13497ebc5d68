/**
 * Validation while one types: the service is asked by a dry run (§4.3), for the fields that were touched. No rule is
 * written here.
 *
 * @import { Operation } from './interface.js'
 * @import { Reply, Call } from './client.js'
 */
import { send } from './client.js';
import { listen, refresh } from './store.js';

/** Milliseconds without a key before the service is asked. */
const PAUSE = 350;

export class DryRun {
  /**
   * @param {Operation} operation
   * @param {(query: [string, string][]) => Call} prepare makes the call of the body as it is now
   * @param {() => boolean} isReady whether there is a body
   */
  constructor(operation, prepare, isReady) {
    this.prepare = prepare;
    this.isReady = isReady;
    this.fields = operation.query.find((parameter) => parameter.name === 'include')?.values ?? [];
    this.isOffered = operation.query.some((parameter) => parameter.name === 'dryRun');
    /** @type {any[]} the errors of the last response */
    this.problems = [];
    /** @type {'idle' | 'checking' | 'valid' | 'faulty' | 'refused'} */
    this.state = 'idle';
    /** @type {Reply | null} */
    this.reply = null;
    /** @type {Set<string>} */
    this.touched = new Set();
    this.isWhole = false;
    this.timer = 0;
    this.abort = new AbortController();
    this.unlisten = listen((changed) => {
      // messages in the other language
      if (this.state !== 'idle' && changed.includes('language')) this.soon();
    });
  }

  /** Somebody has typed. @param {string} path of a field, with indexes */
  touch(path) {
    const field = this.fieldAt(path);
    if (field) this.touched.add(field);
    if (this.isOffered && (field || this.isWhole)) this.soon();
  }

  /** The deepest field that a dry run can be about. @param {string} path */
  fieldAt(path) {
    const words = path.split('.').filter((word) => !/^\d+$/.test(word));
    while (words.length > 0 && !this.fields.includes(words.join('.'))) words.pop();
    return words.join('.');
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), PAUSE);
  }

  /** Asks about everything from now on. */
  async askAll() {
    this.isWhole = true;
    clearTimeout(this.timer);
    await this.ask();
  }

  async ask() {
    this.abort.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    if (!this.isReady()) {
      this.problems = [];
      this.state = 'idle';
      refresh();
      return;
    }
    const fields = this.isWhole ? [] : [...this.touched];
    this.state = 'checking';
    refresh();
    try {
      const include = fields.map((field) => /** @type {[string, string]} */ (['include', field]));
      const reply = await send(this.prepare([['dryRun', 'true'], ...include]), signal);
      this.take(reply);
    } catch {
      if (!signal.aborted) this.state = 'refused';
    }
    refresh();
  }

  /** @param {Reply} reply of a dry run, or of the call itself */
  take(reply) {
    this.reply = reply;
    this.problems = reply.status === 422 ? (reply.json?.errors ?? []) : [];
    this.state = reply.status < 300 ? 'valid' : reply.status === 422 ? 'faulty' : 'refused';
  }

  /** The call itself was sent: its errors take the place of those of dry runs. @param {Reply} reply */
  sent(reply) {
    clearTimeout(this.timer);
    this.abort.abort();
    this.isWhole = true;
    this.take(reply);
    if (this.state === 'valid') this.state = 'idle';
  }

  stop() {
    clearTimeout(this.timer);
    this.abort.abort();
    this.unlisten();
  }
}
