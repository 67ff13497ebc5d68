/**
 * The screen of the events: all that the reader may see, as they happen, by resource and type.
 *
 * @import { Interface } from './interface.js'
 * @import { Route } from './router.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { curlView } from './answer.js';
import { eventList, feedState } from './event_list.js';
import { commonHeaders } from './client.js';
import { go, link, parameter } from './router.js';
import { refresh } from './store.js';
import { EventFeed } from './stream.js';
import { t } from './texts.js';

export class EventsScreen {
  /** @param {Interface} api @param {Route} route */
  constructor(api, route) {
    this.api = api;
    /** @type {EventFeed | null} */
    this.feed = null;
    this.resource = '';
    this.type = '';
    this.update(route);
  }

  get title() {
    return t('events');
  }

  /** @param {Route} route */
  update(route) {
    this.resource = parameter(route, 'resource');
    this.type = parameter(route, 'type');
    this.feed?.stop();
    this.feed = new EventFeed(this.query()).start();
    refresh();
  }

  /** @returns {[string, string][]} */
  query() {
    /** @type {[string, string][]} */
    const all = [
      ['resource', this.resource],
      ['type', this.type],
    ];
    return all.filter(([, value]) => value !== '');
  }

  leave() {
    this.feed?.stop();
  }

  toggle() {
    if (this.feed?.state === 'stopped') this.feed.start();
    else this.feed?.stop();
  }

  render() {
    if (!this.feed) return nothing;
    const chosen = this.api.resources.find((it) => it.plural === this.resource);
    const types = (chosen ? [chosen] : this.api.resources).flatMap((it) => it.events);
    const show = (changes) => {
      const query = { resource: this.resource, type: this.type, ...changes };
      go(
        link(
          'events',
          '',
          Object.entries(query).filter(([, value]) => value !== ''),
        ),
        true,
      );
    };
    const query = new URLSearchParams(this.query()).toString();
    const headers = /** @type {[string, string][]} */ ([['Accept', 'text/event-stream'], ...commonHeaders()]);
    const call = { method: 'GET', path: `/events${query && `?${query}`}`, headers, body: null };
    return html`
      <header class="head">
        <h1 tabindex="-1">${t('events')}</h1>
        <p class="lead">${t('eventsLead')}</p>
      </header>
      <div class="card">
        <div class="field"><label for="event-resource">${t('resource')}</label>
          ${options(
            'event-resource',
            this.api.resources.map((it) => it.plural),
            this.resource,
            (value) => show({ resource: value, type: '' }),
          )}</div>
        <div class="field"><label for="event-type">${t('type')}</label>
          ${options('event-type', types, this.type, (value) => show({ type: value }))}</div>
        <div class="row actions">
          <button type="button" @click=${() => this.toggle()}>
            ${this.feed.state === 'stopped' ? t('start') : t('stop')}
          </button>
          ${feedState(this.feed)}
        </div>
      </div>
      ${eventList(this.api, this.feed.events)} ${curlView(call)}
    `;
  }
}

/** @param {string} id @param {string[]} values @param {string} chosen @param {(value: string) => void} choose */
function options(id, values, chosen, choose) {
  return html`<select id=${id} @change=${(event) => choose(event.target.value)}>
    <option value="" .selected=${chosen === ''}>${t('all')}</option>
    ${values.map((value) => html`<option value=${value} .selected=${value === chosen}>${value}</option>`)}
  </select>`;
}
