/**
 * A command that was sent: its status until it has ended, and its events as they come.
 *
 * @import { Interface, Operation } from './interface.js'
 * @import { Reply } from './client.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { problemList } from './answer.js';
import { eventList, feedState } from './event_list.js';
import { jsonView } from './json.js';
import { prepare, send } from './client.js';
import { refresh, settings } from './store.js';
import { EventFeed } from './stream.js';
import { t } from './texts.js';

/** Milliseconds between two looks at a command: they grow. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2_000;
const RUNNING = 'RUNNING';

export class CommandRun {
  /** @param {Interface} api @param {Operation} operation that sends the command */
  constructor(api, operation) {
    this.api = api;
    this.operation = operation;
    this.isSent = false;
    /** @type {any} */
    this.state = null;
    /** @type {Record<string, string>} */
    this.ids = {};
    this.looking = 0;
    const resource = api.resourceNamed(operation.resource);
    this.feed = new EventFeed([['resource', resource?.plural ?? '']]).start();
  }

  /** @param {Record<string, string>} ids of the entity and of the command */
  watch(ids) {
    this.ids = { ...ids };
    this.isSent = false;
    this.state = null;
    clearTimeout(this.looking);
  }

  /** @param {Reply} reply */
  sent(reply) {
    if (reply.status !== 201) return;
    this.ids = { ...this.ids, [this.operation.ids.at(-1)?.name ?? '']: reply.json.id };
    this.isSent = true;
    this.take(reply, FIRST_PAUSE);
  }

  /** @param {Reply} reply @param {number} pause before the next look */
  take(reply, pause) {
    this.state = reply.json;
    clearTimeout(this.looking);
    if (this.state?.status === RUNNING) {
      this.looking = setTimeout(() => void this.look(Math.min(pause * 1.5, LONGEST_PAUSE)), pause);
    }
    refresh();
  }

  /** @param {number} pause */
  async look(pause) {
    const { resource, command } = this.operation;
    const status = this.api.find(resource, 'status', { command });
    if (!status) return;
    const call = prepare(status, { ids: this.ids, mediaType: this.api.mediaType(status, settings.version) });
    const reply = await send(call).catch(() => null);
    if (reply?.status === 200) this.take(reply, pause);
  }

  stop() {
    clearTimeout(this.looking);
    this.feed.stop();
  }

  render() {
    const id = this.state?.id;
    const events = this.feed.events.filter((event) => id !== undefined && event.data?.data?.id === id);
    return html`<section class="card" aria-labelledby="command-title">
      <h2 id="command-title">${t('command')}</h2>
      <p role="status" id="command-status" class="status">
        ${
          this.state
            ? html`<strong class="badge ${this.badge()}">${this.state.status}</strong>`
            : html`<span class="muted">${t('commandNotSent')}</span>`
        }
      </p>
      ${this.state?.errors?.length ? problemList(this.state.errors) : nothing}
      ${this.state ? jsonView(this.state, t('command')) : nothing}
      <h3>${t('events')}</h3>
      ${feedState(this.feed)} ${eventList(this.api, events)}
    </section>`;
  }

  badge() {
    const { status } = this.state;
    return status === RUNNING ? 'note' : status === 'FAILED' ? 'bad' : 'good';
  }
}
