/**
 * Events as a list, and the state of their stream in words.
 *
 * @import { Interface } from './interface.js'
 * @import { EventFeed, StreamEvent } from './stream.js'
 */
import { html } from './vendor/lit-html.js';
import { jsonView } from './json.js';
import { link } from './router.js';
import { t } from './texts.js';

/** @param {EventFeed} feed */
export function feedState(feed) {
  const words = {
    connecting: t('feedConnecting'),
    live: t('feedLive'),
    waiting: t('feedWaiting'),
    refused: t('feedRefused', { status: feed.status }),
    stopped: t('feedStopped'),
  };
  return html`<p class="feed ${feed.state}" role="status">
    <span class="dot" aria-hidden="true"></span> ${words[feed.state]}
  </p>`;
}

/** @param {Interface} api @param {StreamEvent[]} events */
export function eventList(api, events) {
  if (events.length === 0) return html`<p class="empty">${t('noEvents')}</p>`;
  return html`<ol class="events" aria-live="polite" aria-relevant="additions">
    ${events.map(
      ({ type, data }) => html`<li>
        <details>
          <summary><code>${type}</code> <span class="muted">${data?.time ?? ''}</span></summary>
          <p>${subject(api, type, data?.subject)}</p>
          ${jsonView(data, type)}
        </details>
      </li>`,
    )}
  </ol>`;
}

/** A link to what an event is about. @param {Interface} api @param {string} type @param {string | undefined} id */
function subject(api, type, id) {
  const resource = api.resources.find((it) => it.events.includes(type));
  const get = resource && api.entityOperation(resource.name);
  const name = get?.ids.at(-1)?.name;
  if (!get || !name || !id) return id ?? '';
  return html`<a href=${link('operations', get.name, { [name]: id })}>${resource.name} ${id}</a>`;
}
