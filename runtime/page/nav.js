/**
 * The menu: beside the page where there is room, folded above it where there is none.
 *
 * @import { Interface, Operation } from './interface.js'
 * @import { Route } from './router.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { methodBadge } from './reference.js';
import { link } from './router.js';
import { refresh } from './store.js';
import { t } from './texts.js';

const wide = matchMedia('(min-width: 60rem)');
wide.addEventListener('change', refresh);
let isOpen = false;

/** Folds the menu, as after a choice. */
export function closeMenu() {
  isOpen = false;
}

/** @param {Interface} api @param {Route} route */
export function navigation(api, route) {
  const toggled = (event) => {
    if (!wide.matches) isOpen = event.target.open;
  };
  const operation = route.screen === 'operations' ? api.operations.get(route.name) : undefined;
  const current = route.screen === 'resources' ? route.name : operation?.tag;
  const entry = (hash, label, isCurrent) =>
    html`<li><a href=${hash} aria-current=${isCurrent ? 'page' : nothing}>${label}</a></li>`;
  return html`<details class="menu" ?open=${wide.matches || isOpen} @toggle=${toggled}>
    <summary>${t('menu')}</summary>
    <nav aria-label=${t('menu')}>
      <ul>
        ${entry('#/', t('overview'), route.screen === '')}
        ${entry(link('events'), t('events'), route.screen === 'events')}
        ${entry(link('errors'), t('errors'), route.screen === 'errors')}
      </ul>
      <h2 class="nav-title">${t('resources')}</h2>
      <ul>
        ${api.resources.map((resource) => {
          const isCurrent = resource.plural === current;
          return html`<li>
            <a href=${link('resources', resource.plural)} class=${isCurrent ? 'open' : ''}
              aria-current=${isCurrent && !operation ? 'page' : nothing}>${resource.name}</a>
            ${isCurrent ? operationEntries(resource.operations, route) : nothing}
          </li>`;
        })}
      </ul>
    </nav>
  </details>`;
}

/** @param {Operation[]} operations @param {Route} route */
function operationEntries(operations, route) {
  return html`<ul class="inner">
    ${operations.map(
      (
        it,
      ) => html`<li><a href=${link('operations', it.name)} aria-current=${it.name === route.name ? 'page' : nothing}>
        ${methodBadge(it.method)} <span>${it.name}</span></a></li>`,
    )}
  </ul>`;
}
